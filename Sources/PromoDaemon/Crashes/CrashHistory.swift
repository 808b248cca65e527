package import PromoWire

/// How many times in a row promod exited unexpectedly, and how long the next start waits because of that.
///
/// The service manager restarts promod at once, so that a query after one crash does not wait; before version 254, systemd
/// has no delay that grows. A crash at every start would keep the machine busy, so promod itself waits.
package struct CrashHistory: Equatable, Sendable {
    /// A promod that ran longer than this did not crash because of its start.
    package static let soon: Duration = .seconds(60)
    /// This many crashes in a row cause no pause.
    static let free = 3
    static let pauseBase: Duration = .milliseconds(100)
    static let pauseCap: Duration = .seconds(30)

    /// When the promod that writes this started.
    package let startedAt: Timestamp
    /// How many before it crashed in a row, all but the first of them within ``soon`` of their start.
    package let crashes: Int
    /// How many loads of the cached catalog in a row have begun and not ended.
    var loads: Int

    /// The history at a start.
    /// - Parameter previous: the history that the previous promod left; nil if it ended in an orderly way.
    package init(after previous: CrashHistory?, now: Timestamp) {
        startedAt = now
        loads = previous?.loads ?? 0
        guard let previous else {
            crashes = 0
            return
        }
        // If the clock was set back, its lifetime is not known, and a short one is the safe guess.
        let isSoon = now < previous.startedAt + Self.soon
        crashes = isSoon ? min(previous.crashes, .max - 1) + 1 : 1
    }

    /// Whether the cached catalog may be loaded. After so many loads without an end it would probably be the same again: perhaps
    /// promod may not use as much memory as the catalog needs, and was killed each time.
    var mayLoad: Bool { loads < 3 }

    /// How long this start waits before it serves.
    package var pause: Duration {
        guard crashes > Self.free else { return .zero }
        return min(Self.pauseCap, Self.pauseBase * (1 << min(crashes - Self.free, 16)))
    }
}

extension CrashHistory {
    /// The contents of the file: when that promod started, in milliseconds since 1970, the crashes before it, and the loads.
    package var fileBytes: [UInt8] { Array("\(startedAt.milliseconds) \(crashes) \(loads)\n".utf8) }

    /// The history in a file's bytes; nil if they are not valid.
    package init?(fileBytes: [UInt8]) {
        let line = OutsideText(fileBytes.prefix { $0 != UInt8(ascii: "\n") }).ascii(upTo: 64)
        let parts = line?.split(separator: " ") ?? []
        guard parts.count == 3, let milliseconds = Int64(parts[0]), let crashes = Int(parts[1]), crashes >= 0,
            let loads = Int(parts[2]), 0...9 ~= loads
        else { return nil }
        startedAt = Timestamp(milliseconds: milliseconds)
        self.crashes = crashes
        self.loads = loads
    }
}
