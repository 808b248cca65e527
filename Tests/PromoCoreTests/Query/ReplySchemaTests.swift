import PromoCore
import PromoWire
import Testing

/// The results of the server match the schemas of `rpc.discover` exactly.
@Suite struct ReplySchemaTests {
    private static var desks: [Desk] {
        get throws {
            try [
                .empty(), .loading(), .serving(), .serving(fetchedAt: nil), .serving(fetchedAt: .start - .days(2)),
            ]
        }
    }

    @Test(arguments: ["", #","host":"finebill""#, #","host":"newcomer""#, #","host":"littory","limit":1"#])
    func aListHasItsShape(parameters: String) throws {
        let schema = try ResultSchema("list")
        for desk in try Self.desks {
            for language in ["", "en", "ko", "ja", "*"] {
                let chosen = language.isEmpty ? "" : ",\"language\":\"\(language)\""
                let reply = try desk.ask("{\"method\":\"list\"\(parameters)\(chosen)}")
                #expect(try schema.findings(reply) == [], "\(language)")
            }
        }
    }

    @Test(arguments: [true, false], Language.allCases)
    func aTapHasItsShape(isOnline: Bool, language: Language) throws {
        var desk = try Desk.serving()
        desk.isOnline = isOnline
        desk.language = language
        #expect(try ResultSchema("tap").findings(try desk.ask(#"{"method":"tap","app":"bookary"}"#)) == [])
    }

    @Test func anImpressionHasItsShape() throws {
        let reply = try Desk.serving().ask(#"{"method":"impression","apps":["bookary","stedio"]}"#)
        #expect(try ResultSchema("impression").findings(reply) == [])
    }

    // MARK: Status

    private func findings(_ desk: Desk) throws -> [String] {
        try ResultSchema("status").findings(try desk.status())
    }

    @Test func aStatusHasItsShapeInEveryState() throws {
        for desk in try Self.desks { #expect(try findings(desk) == []) }
    }

    @Test(arguments: ProblemCode.allCases)
    func aStatusHasItsShapeWithEveryFact(code: ProblemCode) throws {
        var desk = try Desk.serving()
        var record = RefreshSchedule.Record()
        (record.lastAttemptAt, record.lastOutcome) = (.start, .failed)
        record.lastError = Failure(code, "m")
        desk.snapshot.first.schedule = RefreshSchedule(
            record, policy: RefreshPolicy(), hasOrigin: true, held: .nothing, now: .start)
        desk.snapshot.problems = [Problem(code, "/c", "m", catalog: "default"), Problem(code, "/c", "m")]
        desk.process.requests = ["list": 1]
        #expect(try findings(desk) == [])
    }
}
