import CSystemd
import Dispatch
package import Logging
import PromoSystem
import PromoWire
import Synchronization

/// Notifies the service manager of the daemon's state; without a manager it does nothing.
package final class Notifier: Sendable {
    /// The notices that wait, at most one of each kind, so that a manager that does not read costs no memory.
    private struct Pending {
        var reloading: String?
        var isReady = false
        var isAlive = false
        var status: String?
        var isStopping = false
        var isSendDue = false

        /// The datagrams, in the order in which they are sent.
        var states: [String] {
            [
                reloading, isReady ? "READY=1" : nil, isAlive ? "WATCHDOG=1" : nil, status.map { "STATUS=\($0)" },
                isStopping ? "STOPPING=1" : nil,
            ].compactMap(\.self)
        }
    }

    /// The maximum length of the status line, in Unicode scalars.
    static let maximumStatus = 1000

    // On a queue of its own, because sd_notify blocks while the manager does not read.
    private let worker = DispatchQueue(label: "promod.notify")
    private let isSupervised: Bool
    private let sendState: @Sendable (String) -> Void
    private let pending = Mutex(Pending())
    private let lastStatus = Mutex("")

    /// A notifier for a process with that environment. The first notification that fails is logged.
    package convenience init(environment: [String: String], logger: Logger) {
        let hasFailed = Atomic(false)
        let socket = environment["NOTIFY_SOCKET"]
        self.init(isSupervised: socket != nil) { state in
            // sd_notify has sent the text, which ends with a NUL, when it returns.
            let result = unsafe promod_notify(state)
            guard result < 0, !hasFailed.exchange(true, ordering: .relaxed) else { return }
            logger.log(
                .notNotified,
                "The service manager cannot be notified at \(socket ?? ""): \(String(systemError: -result))")
        }
    }

    /// A notifier that sends with the given function, which may block.
    init(isSupervised: Bool, send: @escaping @Sendable (String) -> Void) {
        self.isSupervised = isSupervised
        sendState = send
    }

    /// Reports that the socket is served and the cached catalog is loaded.
    package func ready() {
        send { $0.isReady = true }
    }

    /// Reports that the daemon is alive.
    package func alive() {
        send { $0.isAlive = true }
    }

    /// Reports the line that `systemctl status` shows.
    package func status(_ line: String) {
        let status = line.printable.elided(to: Self.maximumStatus)
        let isNew = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { send { $0.status = status } }
    }

    /// Reports that a reload begins; ``ready()`` ends it.
    package func reloading() {
        let microseconds = DispatchTime.now().uptimeNanoseconds / 1000
        // The next status is sent even if it is the same, because the manager shows it as the result of the reload.
        lastStatus.withLock { $0 = "" }
        // In one datagram: systemd 253 and later require the time together with RELOADING=1; earlier versions ignore it.
        send { $0.reloading = "RELOADING=1\nMONOTONIC_USEC=\(microseconds)" }
    }

    /// Reports that the daemon is stopping, and waits up to 1 s until that is sent.
    package func stopping() {
        send { $0.isStopping = true }
        guard isSupervised else { return }
        worker.finish(within: .seconds(1))
    }

    private func send(_ change: (inout Pending) -> Void) {
        guard isSupervised else { return }
        let isDue = pending.withLock { pending in
            change(&pending)
            defer { pending.isSendDue = true }
            return pending.isSendDue
        }
        if !isDue { worker.async { self.sendPending() } }
    }

    private func sendPending() {
        let states = pending.withLock { pending in
            defer { pending = Pending() }
            return pending.states
        }
        for state in states { sendState(state) }
    }
}
