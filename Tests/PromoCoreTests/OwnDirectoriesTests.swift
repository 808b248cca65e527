import PromoCore
import Testing

/// When another directory in the place of one of promod's own counts.
struct OwnDirectoriesTests {
    private let mine: [String: [UInt64]] = ["/cache": [1, 2]]
    private let other: [String: [UInt64]] = ["/cache": [1, 3]]

    private let patience = OwnDirectories.patience

    /// Directories of which a look has found another one at the time 10,000.
    private func suspect() -> OwnDirectories {
        var own = OwnDirectories()
        #expect(own.looked(mine, replaced: nil, now: 0) == .own)
        #expect(own.looked(other, replaced: "/cache", now: 10_000) == .lookAgain(at: 10_000 + patience))
        return own
    }

    @Test func anotherOneCountsIfItStays() {
        var own = suspect()
        #expect(own.looked(other, replaced: "/cache", now: 10_000 + patience - 1) == .own)
        #expect(own.places == mine)
        #expect(own.looked(other, replaced: "/cache", now: 10_000 + patience) == .replaced("/cache"))
        #expect(own.places == other)
    }

    @Test func oneThatIsBackBeforeStartsTheTimeAgain() {
        var own = suspect()
        #expect(own.looked(mine, replaced: nil, now: 11_000) == .own)
        #expect(own.looked(other, replaced: "/cache", now: 12_000) == .lookAgain(at: 12_000 + patience))
    }
}
