import Foundation

/// The descriptors that this process has open.
enum Descriptors {
    /// The number of open descriptors.
    static func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
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
