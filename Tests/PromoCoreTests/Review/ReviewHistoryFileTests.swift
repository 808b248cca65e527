import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The file of the history: what is written is read back, and a file of any other form is refused.
@Suite struct ReviewHistoryFileTests {
    private static let history = ReviewHistory.of(["fittoday": [.days(400), .days(40)], "bookary": []])

    private static let text = """
        {"format":3,"catalogs":{"default":\(apps)}}

        """

    private static let apps = """
        {"bookary":{"firstLaunch":"2024-04-20T08:00:00Z","requests":[]},\
        "fittoday":{"firstLaunch":"2024-04-20T08:00:00Z","requests":["2025-12-11T08:00:00Z","2026-12-06T08:00:00Z"]}}
        """

    @Test func itIsOneLineWithTheAppsSorted() {
        #expect(Self.history.text == Self.text)
        #expect(ReviewHistory().text == "{\"format\":3,\"catalogs\":{}}\n")
    }

    @Test func theLengthIsKnownWithoutWritingIt() {
        var generator = SeededGenerator(seed: 4)
        var history = ReviewHistory()
        for _ in 0..<2000 {
            let app = "app-\(Int.random(in: 0...99, using: &generator))"
            let catalog = ["default", "acme", "another"].randomElement(using: &generator) ?? ""
            let time = Timestamp(milliseconds: .random(in: 0...4_000_000_000_000, using: &generator))
            switch Int.random(in: 0...3, using: &generator) {
            case 0: history.recordLaunch(of: app, in: catalog, at: time)
            case 1: history[app, in: catalog] = nil
            default: history.recordRequest(of: app, in: catalog, at: time)
            }
            #expect((0...30).contains(history.byteCount - history.fileBytes.count))
        }
    }

    @Test func aHistoryComesBack() throws {
        for history in [ReviewHistory(), Self.history] {
            #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
        }
    }

    @Test func randomHistoriesComeBackToo() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var history = ReviewHistory()
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                let app = "app-\(Int.random(in: 0...9, using: &generator))"
                let time = Timestamp(milliseconds: .random(in: 0...4_000_000_000_000, using: &generator))
                if Bool.random(using: &generator) {
                    history.recordLaunch(of: app, at: time)
                } else {
                    history.recordRequest(of: app, at: time)
                }
            }
            #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
        }
    }

    @Test func anAppThatWasNeverLaunchedHasNull() throws {
        var history = ReviewHistory()
        history.recordRequest(of: "fittoday", at: .start)
        #expect(history.text.contains(#""fittoday":{"firstLaunch":null,"requests":["2027-01-15T08:00:00Z"]}"#))
        #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
    }

    @Test func theAppsOfCatalogsStandApartByAddressOrName() throws {
        var history = Self.history
        for catalog in ["acme", "https://one.example/c.json?edition=2"] {
            history.recordLaunch(of: "fittoday", in: catalog, at: .start)
        }
        let record = #"{"fittoday":{"firstLaunch":"2027-01-15T08:00:00Z","requests":[]}}"#
        let others = #""https://one.example/c.json?edition=2":\#(record)"#
        let all = #"{"acme":\#(record),"default":\#(Self.apps),\#(others)}"#
        #expect(history.text == #"{"format":3,"catalogs":\#(all)}"# + "\n")
        #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
    }

    @Test func recordsMoveToTheAddressOfTheirCatalogAndMergeThere() {
        var history = Self.history
        history.recordLaunch(of: "bookary", in: "https://one.example/", at: .start)
        history.recordRequest(of: "bookary", in: "acme", at: .start)
        let move = ReviewHistory.Move(
            from: ["default", "acme", "https://one.example/", "missing"], to: "https://one.example/")
        let (hasMoved, again) = (history.carry(out: [move]), history.carry(out: [move]))
        #expect(hasMoved && !again)
        #expect(history.subjects.allSatisfy { $0.catalog == "https://one.example/" } && history.subjects.count == 2)
        let record = history["bookary", in: "https://one.example/"]
        #expect(record?.firstLaunch == Self.history["bookary"]?.firstLaunch && record?.requests == [.start])
        #expect(history["fittoday", in: "https://one.example/"] == Self.history["fittoday"])
    }

    @Test(arguments: [
        #"{"format":3,"apps":{}}"#, #"{"format":3,"apps":{},"catalogs":{}}"#, #"{"format":2,"catalogs":{}}"#,
        #"{"format":3,"catalogs":{"acme":1}}"#, #"{"format":3,"catalogs":{"acme":{"a":1}}}"#,
        #"{"format":3,"catalogs":{"A":{}}}"#, #"{"format":3,"catalogs":{"http://a.example/":{}}}"#,
        #"{"format":3,"catalogs":{"https://A.example/":{}}}"#,
        #"{"format":3,"catalogs":{"https://u:p@a.example/":{}}}"#,
    ])
    func aFileWithCatalogsOfAnotherFormIsRefused(_ text: String) {
        #expect(throws: ReviewHistory.Unreadable.self) { try ReviewHistory(text: text) }
    }

    @Test func afterAnEditByHandSpacingAndOrderDoNotMatter() throws {
        let text = """
            { "catalogs": { "default": {
                "fittoday": { "requests": [ "2026-12-06T08:00:00Z", "2025-12-11T08:00:00Z" ],
                              "firstLaunch": "2024-04-20T08:00:00Z" },
                "bookary": { "firstLaunch": "2024-04-20T08:00:00Z", "requests": [] }
              } },
              "format": 3 }
            """
        #expect(try ReviewHistory(text: text) == Self.history)
    }

    // MARK: What is refused

    private static let app = #""fittoday":{"firstLaunch":"2024-04-20T08:00:00Z","requests":[]}"#

    private static let hostile = [
        "", "\n", "null", "[]", "1", "{}", "\u{FEFF}{\"format\":3,\"catalogs\":{}}", #"{"format":3}"#,
        #"{"catalogs":{}}"#,
        #"{"format":2,"catalogs":{}}"#, #"{"format":1,"catalogs":{}}"#, #"{"format":3.0,"catalogs":{}}"#,
        #"{"format":"3","catalogs":{}}"#, #"{"format":null,"catalogs":{}}"#, #"{"format":true,"catalogs":{}}"#,
        #"{"format":3,"catalogs":null}"#, #"{"format":3,"catalogs":[]}"#, #"{"format":3,"catalogs":""}"#,
        #"{"format":3,"catalogs":{}}x"#, #"{"format":3,"catalogs":{}}{}"#, #"{"format":3,"catalogs":{},}"#,
        #"{"format":3,"format":3,"catalogs":{}}"#, #"{"format":3,"catalogs":{},"catalogs":{}}"#,
        #"{"format":3,"catalogs":{"default":{\#(app),\#(app)}}}"#,
        #"{"format":3,"catalogs":{"default":{\#(app),"fitt\u006fday":{"firstLaunch":null,"requests":[]}}}}"#,
        #"{"format":3,"catalogs":{"default":{\#(app),}}}"#,
    ]

    @Test(arguments: hostile)
    func malformedTextIsRefused(text: String) {
        #expect(throws: ReviewHistory.Unreadable.self) { try ReviewHistory(text: text) }
    }

    private static let records = [
        "null", "1", "[]", "{}", #""2024-04-20T08:00:00Z""#, #"{"firstLaunch":null}"#, #"{"requests":[]}"#,
        #"{"firstLaunch":0,"requests":[]}"#, #"{"firstLaunch":"","requests":[]}"#,
        #"{"firstLaunch":false,"requests":[]}"#, #"{"firstLaunch":{},"requests":[]}"#,
        #"{"firstLaunch":"2024-04-20","requests":[]}"#, #"{"firstLaunch":"2024-04-31T08:00:00Z","requests":[]}"#,
        #"{"firstLaunch":"2024-04-20T08:00:00.000Z","requests":[]}"#,
        #"{"firstLaunch":"2024-04-20T08:00:00+09:00","requests":[]}"#,
        #"{"firstLaunch":"2024-04-20 08:00:00","requests":[]}"#,
        #"{"firstLaunch":"2024-04-20T24:00:00Z","requests":[]}"#, #"{"firstLaunch":null,"requests":null}"#,
        #"{"firstLaunch":null,"requests":{}}"#, #"{"firstLaunch":null,"requests":"2024-04-20T08:00:00Z"}"#,
        #"{"firstLaunch":null,"requests":[null]}"#, #"{"firstLaunch":null,"requests":[1]}"#,
        #"{"firstLaunch":null,"requests":[[]]}"#, #"{"firstLaunch":null,"requests":["soon"]}"#,
        #"{"firstLaunch":null,"requests":["2024-04-20T08:00:00Z","2024-04-20T08:00:60Z"]}"#,
        #"{"firstLaunch":null,"requests":["2024-04-20T08:00:00Z",]}"#,
    ]

    @Test(arguments: records)
    func oneMalformedRecordRefusesTheWholeFile(record: String) {
        #expect(throws: ReviewHistory.Unreadable.self) {
            try ReviewHistory(text: "{\"format\":3,\"catalogs\":{\"default\":{\(Self.app),\"bookary\":\(record)}}}")
        }
    }

    @Test func theReasonNamesTheApp() {
        let error = #expect(throws: ReviewHistory.Unreadable.self) {
            try ReviewHistory(text: "{\"format\":3,\"catalogs\":{\"default\":{\(Self.app),\"bookary\":3}}}")
        }
        #expect(error?.reason.contains("\"bookary\"") == true)
    }

    @Test func aLongNameIsNotRepeatedWhole() throws {
        let name = String(repeating: "x", count: 100_000)
        let error = try #require(throws: ReviewHistory.Unreadable.self) {
            try ReviewHistory(text: "{\"format\":3,\"catalogs\":{\"default\":{\"\(name)\":3}}}")
        }
        #expect(error.reason.utf8.count < 500)
    }

    /// The next write would drop an unknown member, which may come from a later promod.
    @Test(arguments: [
        #"{"format":3,"catalogs":{},"more":1}"#,
        #"{"format":3,"catalogs":{"a":{"b":{"firstLaunch":null,"requests":[],"dismissed":["2024-04-20T08:00:00Z"]}}}}"#,
    ])
    func aMemberThatWouldNotSurviveTheNextWriteIsRefused(text: String) {
        #expect(throws: ReviewHistory.Unreadable.self) { try ReviewHistory(text: text) }
    }

    @Test(arguments: ["", " ", "FitToday", "fit today", "fit_today", #"fit\u0000today"#, "한국"])
    func anAppThatNoRequestCouldNameIsRefused(name: String) {
        #expect(throws: ReviewHistory.Unreadable.self) {
            try ReviewHistory(
                text: "{\"format\":3,\"catalogs\":{\"a\":{\"\(name)\":{\"firstLaunch\":null,\"requests\":[]}}}}")
        }
    }

    @Test func aTruncatedFileIsRefused() {
        let bytes = Self.history.fileBytes
        for count in 0..<bytes.count - 1 {
            #expect(throws: ReviewHistory.Unreadable.self) { try ReviewHistory(fileBytes: Array(bytes.prefix(count))) }
        }
    }

    @Test func noChangedByteTrapsAndWhatIsReadIsWrittenUnchanged() {
        var generator = SeededGenerator(seed: 8)
        let bytes = Self.history.fileBytes
        for _ in 0..<5000 {
            var broken = bytes
            broken[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if let read = try? ReviewHistory(fileBytes: broken) {
                #expect(read.fileBytes.count == bytes.count)
                #expect((try? ReviewHistory(fileBytes: read.fileBytes)) == read)
            }
        }
    }

    @Test(arguments: [10, 1000, 100_000])
    func deepNestingIsRefusedAndHarmless(depth: Int) {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(throws: ReviewHistory.Unreadable.self) {
            try ReviewHistory(text: "{\"format\":3,\"catalogs\":{\"default\":{\"fittoday\":\(nested)}}}")
        }
        #expect(throws: ReviewHistory.Unreadable.self) { try ReviewHistory(text: nested) }
    }

    @Test func anyTimeThatCanBeWrittenIsReadAndJudged() throws {
        for time in ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"] {
            let history = try ReviewHistory(
                text:
                    "{\"format\":3,\"catalogs\":{\"default\":{\"a\":{\"firstLaunch\":\"\(time)\",\"requests\":[\"\(time)\"]}}}}"
            )
            #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
            let verdict = ReviewPolicy().judge(history["a"], completed: 3, now: .start)
            #expect(verdict.isEligible == (time < "2027"))
        }
    }
}
