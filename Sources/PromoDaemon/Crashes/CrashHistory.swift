package import PromoWire

/// How many times in a row promod exited unexpectedly, and how long the next start waits.
///
/// The service manager restarts promod at once, so that a query after one crash does not wait. Before version 254, systemd cannot
/// increase that delay, so promod itself waits, or a crash at every start would keep the machine busy.
package struct CrashHistory: Equatable, Sendable {
    /// A crash later than this after the start begins a new count.
    package static let soon: Duration = .seconds(60)
    /// This many crashes in a row cause no pause.
    static let free = 3
    static let pauseBase: Duration = .milliseconds(100)
    static let pauseCap: Duration = .seconds(30)

    /// When this promod started.
    package let startedAt: Timestamp
    /// The number of crashes in a row before it, all but the first within ``soon`` of their start.
    package let crashes: Int
    /// The number of loads of the cached catalogs in a row that began and did not end.
    var loads: Int

    /// The history at a start.
    /// - Parameter previous: the history of the previous promod; nil after an orderly end.
    package init(after previous: CrashHistory?, now: Timestamp) {
        startedAt = now
        loads = previous?.loads ?? 0
        guard let previous else {
            crashes = 0
            return
        }
        // If the clock was set back, the lifetime is not known, and a short one is the safe guess.
        let isSoon = now < previous.startedAt + Self.soon
        crashes = isSoon ? min(previous.crashes, .max - 1) + 1 : 1
    }

    /// Whether the cached catalogs may be loaded. After three loads without an end, the next would probably end the same, perhaps because a
    /// catalog needs more memory than promod may use.
    var mayLoad: Bool { loads < 3 }

    /// How long this start waits before it serves.
    package var pause: Duration {
        guard crashes > Self.free else { return .zero }
        return min(Self.pauseCap, Self.pauseBase * (1 << min(crashes - Self.free, 16)))
    }
}

extension CrashHistory {
    /// The contents of the file: the start in milliseconds since 1970, the crashes and the loads.
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
