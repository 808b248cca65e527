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
        try ResultSchema("status").findings(try desk.ask(#"{"method":"status"}"#))
    }

    @Test func aStatusHasItsShapeInEveryState() throws {
        for desk in try Self.desks { #expect(try findings(desk) == []) }
    }

    @Test(arguments: RefreshStatus.Reason.allCases, RefreshResult.Outcome.allCases)
    func aStatusHasItsShapeWithEveryFact(reason: RefreshStatus.Reason, outcome: RefreshResult.Outcome) throws {
        var desk = try Desk.serving()
        desk.snapshot.first.refresh.url = "https://promo.example/apps.json"
        desk.snapshot.first.refresh.nextAt = .start
        desk.snapshot.first.refresh.reason = reason
        desk.snapshot.first.refresh.attempt = 2
        desk.snapshot.first.refresh.lastAttemptAt = .start
        desk.snapshot.first.refresh.lastOutcome = outcome
        desk.snapshot.configuration = ConfigurationStatus(file: "/c.toml", error: "line 3")
        for code in Failure.Code.allCases {
            desk.snapshot.first.refresh.lastError = Failure(code, "m")
            #expect(try findings(desk) == [])
        }
    }
}
