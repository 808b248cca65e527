import Foundation

/// The descriptors that this process has open.
enum Descriptors {
    /// How many there are.
    static func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Whether there come to be so many at most: a thread that has answered may hold its own a moment longer.
    static func fall(to count: Int) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try self.count() <= count { return true }
            await Task.yield()
        }
        return false
    }
}
