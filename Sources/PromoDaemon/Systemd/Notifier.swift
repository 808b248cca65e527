import CSystemd
import Dispatch

/// Tells the service manager how the daemon is doing; away from systemd it says nothing.
package final class Notifier: Sendable {
    // sd_notify can block while the manager does not read, and no plane may wait for that.
    private let queue = DispatchQueue(label: "promod.notify")
    private let isSupervised: Bool

    /// A notifier for a process started with that environment.
    package init(environment: [String: String]) {
        isSupervised = environment["NOTIFY_SOCKET"] != nil
    }

    /// The socket is served, and the catalog that is there is loaded.
    package func ready() {
        send("READY=1")
    }

    /// The daemon is alive.
    package func alive() {
        send("WATCHDOG=1")
    }

    /// One line for people, shown by `systemctl status`.
    package func status(_ line: String) {
        send("STATUS=\(line.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }

    /// A reload begins; ``ready()`` ends it.
    package func reloading() {
        let microseconds = DispatchTime.now().uptimeNanoseconds / 1000
        // One datagram: from version 253 on systemd wants the time with the word, and before it ignores it.
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// The daemon stops; waits, for a moment at most, until that is sent.
    package func stopping() {
        send("STOPPING=1")
        guard isSupervised else { return }
        let sent = DispatchSemaphore(value: 0)
        queue.async { sent.signal() }
        _ = sent.wait(timeout: .now() + .seconds(1))
    }

    private func send(_ state: String) {
        guard isSupervised else { return }
        queue.async { _ = promod_notify(state) }
    }
}
