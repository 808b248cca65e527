import Dispatch
import Foundation

/// The descriptors that this process has open.
enum Descriptors {
    /// Dispatch opens descriptors of its own with the first timer, and keeps them.
    private static let firstTimer: Void = {
        let fired = DispatchSemaphore(value: 0)
        DispatchQueue(label: "timer").asyncAfter(deadline: .now() + .milliseconds(1)) { fired.signal() }
        fired.wait()
    }()

    /// The number of open descriptors, without those of timers: Dispatch opens one for each clock when it first needs it, and keeps it.
    static func count() throws -> Int {
        _ = firstTimer
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                != "anon_inode:[timerfd]"
        }
    }

    /// Waits until at most `count` are open, since a thread that has answered may close its own a moment later.
    static func fall(to count: Int) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try self.count() <= count { return true }
            await Task.yield()
        }
        return false
    }
}
