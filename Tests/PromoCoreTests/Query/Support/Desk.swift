import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// A responder with everything that it answers from. Tests send it lines of the protocol.
struct Desk {
    var snapshot: Snapshot
    var language = Language.en
    var isOnline = true
    /// A status with what no catalog determines.
    var process: StatusResult = {
        var status = StatusResult()
        (status.version, status.epoch, status.pid) = ("1.2.3", "e0", 42)
        (status.startedAt, status.socket.path) = (.start - .days(1), "/run/promod.sock")
        return status
    }()
    var now = Timestamp.start

    struct Reply {
        var answer: Answer
        var bytes: [UInt8]

        /// The whole reply.
        var json: JSON { get throws { try JSON(bytes) } }
        var result: JSON { get throws { try #require(try json["result"]) } }
        var error: JSON { get throws { try #require(try json["error"]) } }
    }

    /// A desk without a catalog, during the pause after a failure.
    static func empty(pause: Timestamp = .start + .seconds(30)) -> Desk {
        var snapshot = Snapshot()
        snapshot.catalogs = [CatalogSnapshot()]
        snapshot.first.url = "https://example.com/c.json"
        var record = RefreshSchedule.Record()
        (record.failures, record.notBefore, record.lastAttemptAt) = (8, pause, .start - .seconds(5))
        snapshot.first.schedule = RefreshSchedule(
            record, policy: .tested, hasOrigin: true, held: .nothing, now: .start
        ) { $0.lowerBound }
        return Desk(snapshot: snapshot)
    }

    /// A desk without a catalog, while the first fetch is under way.
    static func loading() -> Desk {
        var desk = Desk.empty()
        desk.snapshot.first.schedule = RefreshSchedule(
            policy: .tested, hasOrigin: true, held: .nothing, now: .start)
        _ = desk.snapshot.first.schedule.timerFired(now: .start)
        return desk
    }

    /// A desk with a catalog from the origin, an hour old.
    static func serving(
        _ catalog: PreparedCatalog? = nil, fetchedAt: Timestamp? = .start - .hours(1)
    ) throws -> Desk {
        var desk = Desk.empty()
        desk.snapshot.first.served = try HeldCatalog(catalog ?? .sample(), fetchedAt: fetchedAt)
        return desk
    }

    /// The status, after the look at the disk.
    func status(_ line: String = #"{"method":"status"}"#) throws -> Reply { try ask(line, after: .look) }

    func ask(_ line: String, after: Answer.Later? = nil) throws -> Reply {
        guard case .request(let request, let id?)? = Call(line: Array(line.utf8)) else {
            throw NoRequest(line: line)
        }
        var output = OutputQueue()
        var responder = responder
        var answer = responder.respond(
            to: request, id: id, snapshot: snapshot, now: now, after: after, output: &output)
        if case .later(.source(let order)) = answer {
            responder.answer(order, from: order.make(), id: id, snapshot: snapshot, now: now, output: &output)
            answer = .written()
        }
        return Reply(answer: answer, bytes: output.text)
    }

    /// The reply to a list that may be kept.
    func keptList(
        _ parameters: ListParameters = ListParameters(), of catalog: CatalogReference? = nil
    ) -> [UInt8]? {
        var snapshot = snapshot
        for index in snapshot.catalogs.indices {
            snapshot.catalogs[index].served?.catalog.makeLists(in: [.one(.en), .one(.ko), .one(.ja)])
        }
        return responder.keptList(parameters, of: catalog, snapshot: snapshot, now: now)
    }

    private var responder: Responder {
        Responder(language: language, status: process) { [isOnline] in isOnline }
    }

    private struct NoRequest: Error {
        var line: String
    }
}
