/// How many of the process's descriptors clients may take. The rest is for promod's own work, because a fetch without descriptors for its
/// event loop ends the process.
struct DescriptorShares: Equatable, Sendable {
    /// The most connections over the limit that are open for an error reply.
    static let maximumRefusals = 64
    /// Descriptors for promod's own work: loops, timers, logs, files, and for each connection to an origin, of a catalog and of its
    /// icons, a socket or two and an event loop of three descriptors.
    private static let own = 64 + NamedCatalog.maximumCount * 2 * HTTPSOrigin.maximumConnections * 5

    /// The lowest limit on descriptors, with which promod can still fetch a catalog while clients take their share.
    static let minimum = 128

    /// The number of connections that are served, at least 1.
    let connections: Int
    /// The number of connections over the limit that are open for an error reply; any more are closed without one.
    let refusals: Int

    /// The limit on descriptors with which a number of connections has its full share.
    static func limit(for connections: Int) -> Int { connections + maximumRefusals + own }

    /// The shares under a limit on descriptors. If it is low, half of them are for promod's own work.
    init(limit: Int, wanted: Int) {
        let clients = limit - min(Self.own, limit / 2)
        refusals = min(Self.maximumRefusals, clients / 4)
        connections = max(1, min(wanted, clients - refusals))
    }
}
