import PromoCore
import PromoWire
import Testing

/// A responder with everything that it answers from. Tests send it lines of the protocol.
struct Desk {
    var snapshot: Snapshot
    var language = Language.en
    var isOnline = true
    var counters = QueryCounters()
    var now = Timestamp.start

    struct Reply {
        var answer: Answer
        var bytes: [UInt8]

        /// The whole reply.
        var json: JSON { get throws { try JSON(bytes) } }
        var result: JSON { get throws { try #require(try json["result"]) } }
        var error: JSON { get throws { try #require(try json["error"]) } }
    }

    /// A desk without a catalog, whose origin may be asked at once.
    static func empty() -> Desk {
        var snapshot = Snapshot(catalog: CatalogSnapshot(cachePath: "/cache/catalogs/0123456789abcdef/catalog"))
        snapshot.first.refresh.url = "https://example.com/c.json"
        return Desk(snapshot: snapshot)
    }

    /// A desk without a catalog, while the first fetch is under way.
    static func loading() -> Desk {
        var desk = Desk.empty()
        desk.snapshot.first.refresh.activity = .loading
        desk.snapshot.first.schedule = RefreshSchedule(
            policy: RefreshPolicy(), hasOrigin: true, held: .nothing, now: .start)
        _ = desk.snapshot.first.schedule.timerFired(now: .start)
        return desk
    }

    /// A desk with a catalog from the origin, an hour old.
    static func serving(
        _ catalog: PreparedCatalog? = nil, fetchedAt: Timestamp? = .start - .hours(1)
    ) throws -> Desk {
        var desk = Desk.empty()
        desk.snapshot.first.served = CatalogSnapshot.Served(catalog: try catalog ?? .sample(), fetchedAt: fetchedAt)
        return desk
    }

    func ask(_ line: String) throws -> Reply {
        guard case .single(.request(let request, let id?)) = Message(line: Array(line.utf8)) else {
            throw NoRequest(line: line)
        }
        var output = OutputQueue()
        var responder = responder
        let answer = responder.respond(
            to: request, id: id, snapshot: snapshot, counters: counters, now: now, output: &output)
        return Reply(answer: answer, bytes: output.text)
    }

    /// The reply to a list that may be kept.
    func keptList(
        _ parameters: ListParameters = ListParameters(), of catalog: CatalogReference? = nil
    ) -> (rest: [UInt8], validity: Range<Timestamp>)? {
        var responder = responder
        return responder.keptList(parameters, of: catalog, snapshot: snapshot, now: now)
    }

    private var responder: Responder {
        let process = ProcessStatus(
            version: "1.2.3", epoch: "e0", pid: 42, startedAt: .start - .days(1), socketPath: "/run/promod.sock",
            configurationPath: "/home/ana/.config/promod/config.toml")
        return Responder(
            language: language,
            context: Responder.Context(process: process) { [isOnline] in isOnline })
    }

    private struct NoRequest: Error {
        var line: String
    }
}
