@testable import PromoDaemon
import Testing

/// Clients and promod's own work share the descriptors.
struct DescriptorSharesTests {
    private func shares(_ limit: Int, _ wanted: Int) -> [Int] {
        let shares = DescriptorShares(limit: limit, wanted: wanted)
        return [shares.connections, shares.refusals]
    }

    @Test(arguments: [1, 2, 1024, 65_536])
    func theLimitThatIsAskedForIsEnoughForAllConnections(wanted: Int) {
        let limit = DescriptorShares.limit(for: wanted)
        #expect(DescriptorShares(limit: limit, wanted: wanted).connections == wanted)
        #expect(shares(.max, wanted) == [wanted, 64])
        #expect(DescriptorShares(limit: limit, wanted: wanted).fetches == FetchPlaces.maximum)
        #expect(wanted < 1024 || DescriptorShares(limit: limit - 1, wanted: wanted).connections == wanted - 1)
    }

    @Test func underALowLimitClientsGetHalfOfTheDescriptors() {
        #expect(shares(1024, 1024) == [832, 64])
        #expect(shares(200, 1024) == [75, 25])
        #expect(shares(200, 50) == [50, 25])
        #expect(shares(16, 1024) == [6, 2])
    }

    @Test(arguments: 0..<3000)
    func promodKeepsAsMuchAsClientsGetOrAllThatItNeeds(limit: Int) {
        let shares = DescriptorShares(limit: limit, wanted: 1024)
        #expect(shares.connections >= 1)
        #expect((1...FetchPlaces.maximum).contains(shares.fetches))
        #expect(limit < 4 || limit - shares.connections - shares.refusals >= min(limit / 2, 128))
        // Each fetch takes two, and promod some 30 besides.
        #expect(limit < 128 || shares.fetches * 2 + 48 <= limit - shares.connections - shares.refusals)
    }
}
