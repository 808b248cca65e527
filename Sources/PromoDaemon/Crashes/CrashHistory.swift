package import PromoWire

/// How often promod has ended in a row without being told to, and how long the next start waits for that.
///
/// The service manager restarts at once, so that a query after one crash does not wait; before version 254 it knows no
/// delay that grows. A defect that comes back with every start would keep the machine busy, so promod itself waits then.
package struct CrashHistory: Equatable, Sendable {
    /// A promod that lived longer than this did not end of what it did at its start.
    package static let soon: Duration = .seconds(60)
    /// So many crashes in a row cost no pause.
    static let free = 3
    static let pauseBase: Duration = .milliseconds(100)
    static let pauseCap: Duration = .seconds(30)

    /// When the promod that writes this began.
    package let startedAt: Timestamp
    /// How many before it ended without being told to, each soon after its start.
    package let crashes: Int

    /// The history that a start begins.
    /// - Parameter previous: what the promod before left; nil where it ended as it was told.
    package init(after previous: CrashHistory?, now: Timestamp) {
        startedAt = now
        guard let previous else {
            crashes = 0
            return
        }
        // A clock that was set back says nothing about how long it lived; the careful guess is: not long.
        let isSoon = now < previous.startedAt + Self.soon
        crashes = isSoon ? min(previous.crashes, .max - 1) + 1 : 1
    }

    /// How long this start waits before it serves.
    package var pause: Duration {
        guard crashes > Self.free else { return .zero }
        return min(Self.pauseCap, Self.pauseBase * (1 << min(crashes - Self.free, 16)))
    }
}

extension CrashHistory {
    /// The history as its file has it: when that promod started, in milliseconds, and the crashes before it.
    package var fileBytes: [UInt8] { Array("\(startedAt.milliseconds) \(crashes)\n".utf8) }

    /// The history in a file's bytes; nil where they are none.
    package init?(fileBytes: [UInt8]) {
        let parts = String(decoding: fileBytes, as: UTF8.self).split(separator: "\n").first?.split(separator: " ") ?? []
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let crashes = Int(parts[1]), crashes >= 0 else {
            return nil
        }
        startedAt = Timestamp(milliseconds: milliseconds)
        self.crashes = crashes
    }
}
