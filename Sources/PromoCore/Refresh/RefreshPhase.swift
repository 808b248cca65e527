/// The place in the spread at which a daemon refreshes, the same each day.
package struct RefreshPhase: Equatable, Sendable {
    /// The place in millionths of the spread, from 0 to 999,999.
    package let millionths: Int

    private static let range = 0..<1_000_000

    /// A phase; nil if the number is out of range.
    package init?(millionths: Int) {
        guard Self.range.contains(millionths) else { return nil }
        self.millionths = millionths
    }

    static func random(using generator: inout some RandomNumberGenerator) -> RefreshPhase? {
        RefreshPhase(millionths: Int.random(in: range, using: &generator))
    }

    /// A phase derived from this one, far from those of its neighbours.
    var scattered: RefreshPhase? {
        // The factor is prime to the number of phases, so that no two become the same.
        RefreshPhase(millionths: millionths * 611_953 % Self.range.count)
    }

    /// The time from the beginning of a spread to the phase, both in milliseconds.
    func offset(in spread: Int64) -> Int64 {
        let (whole, rest) = spread.quotientAndRemainder(dividingBy: Int64(Self.range.count))
        return whole * Int64(millionths) + rest * Int64(millionths) / Int64(Self.range.count)
    }
}
