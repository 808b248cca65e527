/// How many of the process's descriptors clients may take. The rest is for promod's own work, so that no client can prevent a fetch.
struct DescriptorShares: Equatable, Sendable {
    /// The most connections over the limit that are open for an error reply.
    static let maximumRefusals = 64
    /// Descriptors for a fetch: its socket and its pipe.
    private static let each = 2
    /// Descriptors for promod's own work: loops, timers, logs, files, and fetches.
    private static let own = 64 + FetchPlaces.maximum * each
    /// What is left of these when all fetches are under way.
    private static let besidesFetches = 48

    /// The lowest limit on descriptors with which promod can fetch a catalog while clients take their share.
    static let minimum = 128

    /// The number of connections that are served, at least 1.
    let connections: Int
    /// The number of connections over the limit that are open for an error reply; any more are closed without one.
    let refusals: Int
    /// The number of fetches that may be under way, from 1 to ``FetchPlaces/maximum``.
    let fetches: Int

    /// The limit on descriptors with which a number of connections has its full share.
    static func limit(for connections: Int) -> Int { max(connections + maximumRefusals + own, 2 * own) }

    /// The shares under a limit on descriptors. If it is low, half of them are for promod's own work.
    init(limit: Int, wanted: Int) {
        let own = min(Self.own, limit / 2)
        fetches = min(FetchPlaces.maximum, max(1, (own - Self.besidesFetches) / Self.each))
        let clients = limit - own
        refusals = min(Self.maximumRefusals, clients / 4)
        connections = max(1, min(wanted, clients - refusals))
    }
}
