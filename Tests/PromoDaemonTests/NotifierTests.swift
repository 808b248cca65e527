import Dispatch
import Glibc
@testable import PromoDaemon
import Synchronization
import Testing

struct NotifierTests {
    /// A manager that reads only while its gate is open.
    private final class Manager: Sendable {
        let gate = DispatchSemaphore(value: 0)
        private let states = Mutex<[String]>([])

        var received: [String] { states.withLock { $0 } }

        func take(_ state: String) {
            gate.wait()
            gate.signal()
            states.withLock { $0.append(state) }
        }
    }

    @Test func aManagerThatReadsLateGetsEachNoticeOnce() throws {
        let manager = Manager()
        let notifier = Notifier(isSupervised: true, send: manager.take)
        notifier.ready()
        for number in 0..<10_000 {
            notifier.reloading()
            notifier.status("\(number)")
            notifier.alive()
            notifier.ready()
        }
        manager.gate.signal()
        notifier.stopping()
        let received = manager.received
        #expect(received.count <= 10)
        #expect(received.contains("STATUS=9999"))
        #expect(received.last == "STOPPING=1")
    }

    @Test func aManagerThatCannotBeNotifiedIsLoggedOnce() {
        let log = CollectedLog()
        let notifier = Notifier(environment: ["NOTIFY_SOCKET": "/nowhere/notify"], logger: log.logger)
        // sd_notify(3) reads the process's own environment.
        setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        for _ in 0..<3 {
            notifier.ready()
            notifier.stopping()
        }
        #expect(
            log.messages == ["The service manager cannot be notified at /nowhere/notify: No such file or directory"])
    }

    @Test func aStatusIsOneShortPrintableLineAndIsSentWhenItChanges() throws {
        let manager = Manager()
        manager.gate.signal()
        let notifier = Notifier(isSupervised: true, send: manager.take)
        for _ in 0..<3 { notifier.status("a\nb\u{1B}" + String(repeating: "c", count: 2000)) }
        notifier.stopping()
        let statuses = manager.received.filter { $0.hasPrefix("STATUS=") }
        #expect(statuses.count == 1)
        #expect(statuses.first?.hasPrefix("STATUS=a b␛ccc") == true)
        #expect(statuses.first?.dropFirst("STATUS=".count).unicodeScalars.count == Notifier.maximumStatus)
    }
}
