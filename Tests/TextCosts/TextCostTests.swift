@testable import CrossPromoKit
import PromoCore
@testable import PromoDaemon
import promoctl
import PromoTestSupport
@testable import PromoWire
import Testing

/// A text that is four times as long takes at most 2.5² times the processor time, wherever it arrives.
///
/// The places come from the table of methods, the schema of catalogs, the keys of the configuration, and samples of the files.
@Suite(.serialized) struct TextCostTests {
    /// Below this, in nanoseconds, a time says nothing.
    private static let noise = 1_500_000.0

    private func check(_ places: [Place], _ texts: [HostileText] = HostileText.allCases) {
        for place in places {
            for text in texts {
                let (short, long) = (place.make(text.bytes(place.maximum / 4)), place.make(text.bytes(place.maximum)))
                // A busy machine may slow one run down, but hardly the fastest of several, three times in a row.
                let ratio = (0..<3).lazy.map { _ in Self.ratio(place, short, long) }.first { $0 <= 6.25 }
                #expect(ratio != nil, "\(place), \(text)")
            }
        }
    }

    private static func ratio(_ place: Place, _ short: [UInt8], _ long: [UInt8]) -> Double {
        let small = Cost.least(of: 2) { place.read(short) }
        let large = Cost.least(of: 2) { place.read(long) }
        return large < noise ? 0 : large / max(small, noise / 4)
    }

    // MARK: Lines

    private static func held(from url: HTTPSURL) throws -> HeldCatalog {
        try HeldCatalog(CatalogContents(Samples.catalog, of: url, validators: Validators(), at: Timestamp(seconds: 0)))
    }

    private static func served() throws -> Snapshot {
        var snapshot = Snapshot()
        var served = CatalogSnapshot()
        served.served = try held(from: try #require(HTTPSURL("https://a.example/c")))
        served.url = "https://a.example/c"
        snapshot.catalogs = [served]
        snapshot.launched = try ReviewHistory(fileBytes: Samples.history()).launchedApps
        return snapshot
    }

    private static let responder = Responder(language: .en, status: StatusResult()) { true }

    private static func reply(to line: [UInt8], _ snapshot: Snapshot, _ output: inout OutputQueue) {
        var responder = responder
        var framer = LineFramer(maximumLength: Call.maximumLength)
        framer.append((line + [UInt8(ascii: "\n")]).span)
        guard case .line(let line) = framer.next(), let call = Call(line: line) else { return }
        switch call {
        case .request(let request, let id):
            _ = responder.respond(
                to: request, id: id, snapshot: snapshot, now: Timestamp(seconds: 0), output: &output)
        case .rejected(let error, let id): output.reply(to: id, error: error)
        }
        output.json.append("\n")
    }

    @Test func aLineCostsItsLength() throws {
        let snapshot = try Self.served()
        let lines = Samples.lines
        let longest = 6000
        for line in lines {
            let places = try Place.all(in: line, String(decoding: line, as: UTF8.self), maximum: longest) { bytes in
                var output = OutputQueue()
                Self.reply(to: bytes, snapshot, &output)
            }
            check(places, [.marks, .escapedMarks])
            check(places.filter { $0.description.contains("value") }, [.letters, .flags, .joined, .jamo])
        }
    }

    @Test func aReplyCostsAClientItsLength() throws {
        var output = OutputQueue()
        let snapshot = try Self.served()
        Self.reply(to: Array(#"{"id":1,"method":"list","language":"*"}"#.utf8), snapshot, &output)
        Self.reply(to: Array(#"{"id":1,"method":"status"}"#.utf8), snapshot, &output)
        Self.reply(to: Array(#"{"id":1,"method":"tap","app":"bookary"}"#.utf8), snapshot, &output)
        Self.reply(to: Array(#"{"id":1,"method":"list","host":"?"}"#.utf8), snapshot, &output)
        for line in output.text.split(separator: UInt8(ascii: "\n")) {
            check(try Place.all(in: Array(line), "a reply", maximum: 6000, read: Self.show))
        }
    }

    /// Reads a reply as the clients do, and draws what it has.
    private static func show(_ line: [UInt8]) {
        guard case .result(let result)? = Incoming(line: line) else { return }
        _ = try? StatusResult(result)
        _ = try? TapResult(result)
        guard let list = try? ListResult(result) else { return }
        _ = MoreAppsPage(list.apps.map { MoreAppsPage.App($0, picture: nil) }, in: .en).html
        let terminal = Terminal(columns: 80, hasColor: true, hasLinks: true)
        for app in (try? PromoList(list).apps) ?? [] {
            _ = PromoAppRow(app: app, language: "en").lines(on: terminal)
            _ = app == app
            _ = app.hashValue
        }
    }

    // MARK: Catalogs

    @Test func theSampleHasEveryMemberOfTheSchema() throws {
        let schema = try JSONDocument(Samples.file("packaging/catalog-schema.json"), maximumDepth: 16).root
        var names: Set<String> = []
        func collect(_ value: JSONValue) {
            for (name, member) in value.members {
                if name.isString("properties") { names.formUnion(member.members.compactMap(\.name.string)) }
                collect(member)
            }
            for element in value.elements { collect(element) }
        }
        collect(schema)
        let sample = String(decoding: Samples.catalog, as: UTF8.self)
        #expect(names.count > 10)
        for name in names { #expect(sample.contains("\"\(name)\":"), "the sample lacks \(name)") }
    }

    @Test func aCatalogCostsItsLength() throws {
        let url = try #require(HTTPSURL("https://a.example/c"))
        let held = try Self.held(from: url)
        check(
            try Place.all(in: Samples.catalog, "a catalog", maximum: 24_000) { bytes in
                if let text = try? CatalogText(bytes) { _ = text.warnings }
                let intake = CatalogIntake(
                    .body(bytes, Validators()), held: held, from: url, now: Timestamp(seconds: 0))
                guard let next = intake.accepted else { return }
                _ = next.catalog.list(in: .one(.ko)) { $0 }
            }, [.marks, .letters])
    }

    // MARK: Files

    @Test func aFileCostsItsLength() throws {
        let cached = try Samples.corpus("cache-file/stored").prefix { $0 != UInt8(ascii: "\n") }
        let readers: [(name: String, sample: [UInt8], read: ([UInt8]) -> Void)] = [
            ("reviews.json", try Samples.history(), { _ = try? ReviewHistory(fileBytes: $0).fileBytes }),
            (
                "schedule.json", try Samples.corpus("schedule-file/failed"),
                {
                    guard let record = RefreshSchedule.Record(fileBytes: $0) else { return }
                    _ = record == record
                    _ = record.fileBytes
                }
            ),
            ("book.json", try Samples.corpus("icon-book/one"), { _ = IconBook(fileBytes: $0)?.fileBytes }),
            ("catalog", Array(cached), { _ = try? CatalogContents(fileBytes: $0 + [UInt8(ascii: "\n")]) }),
        ]
        for (name, sample, read) in readers {
            check(try Place.all(in: sample, name, maximum: 12_000, read: read))
        }
    }

    @Test func aConfigurationCostsItsLength() {
        let daemon = Self.places("the daemon's", ConfigurationKeys.daemon.map { "\($0.name)" }) { bytes in
            _ = try? ConfigurationLoader(
                commandLine: [:], environment: [:], directories: Directories(environment: [:], home: "/none")
            ) { file, _ throws(SystemError) in file.hasPrefix("/none/") ? bytes : nil }.load()
        }
        let dropIn = Self.places("a drop-in's", ConfigurationKeys.catalog.map { "\($0.name)" }) { bytes in
            let found = DropInCatalogs(
                in: [.data("/d")], list: { _, _ throws(SystemError) in ["acme.toml"] },
                readFile: { file, _ throws(SystemError) in file == "/d/acme.toml" ? bytes : nil })
            _ = found == found
        }
        check(daemon + dropIn, [.marks, .letters, .flags])
    }

    /// The places of a file of some keys, where question marks stand for the text.
    private static func places(_ whose: String, _ keys: [String], read: @escaping ([UInt8]) -> Void) -> [Place] {
        let lines = keys.map { "\($0) = \"?\"" } + ["'?' = 1", "[?]", "# ?", "a = ['?', '?']"]
        return lines.map { line in
            Place(
                description: "\(whose) \(line)", maximum: 12_000 / line.count { $0 == "?" },
                make: { text in line.utf8.flatMap { $0 == UInt8(ascii: "?") ? text : [$0] } }, read: read)
        }
    }

    // MARK: Headers

    @Test func aHeaderCostsItsLength() throws {
        let url = try #require(HTTPSURL("https://a.example/c"))
        let fields: [(String, @Sendable (inout FetchAnswer, OutsideText) -> Void)] = [
            ("ETag", { $0.etag = $1 }), ("Last-Modified", { $0.lastModified = $1 }),
            ("Content-Encoding", { $0.encoding = $1 }), ("the phrase", { $0.phrase = $1 }),
            ("the address", { $0.address = $1 }), ("libcurl's words", { $0.text = $1 }),
        ]
        let places = fields.flatMap { name, set in
            [0, 200, 304, 503].map { status in
                Place(description: "\(name) of \(status)", maximum: 12_000, make: { $0 }) { bytes in
                    var sent = FetchAnswer()
                    (sent.status, sent.address, sent.code) = (status, "https://a.example/c", status == 0 ? 60 : 0)
                    set(&sent, OutsideText(bytes))
                    sent.body = Samples.catalog
                    var messages = FetchReader(maximumBytes: sent.body.count)
                    try? messages.read(sent.bytes[...])
                    let validators = Validators(etag: "\"1\"")
                    let exchange = Exchange(
                        OriginRequest(
                            url: url, validators: validators, caFile: nil, maximumBytes: 1000, timeout: .seconds(5)))
                    guard let reply = try? exchange.reply(to: messages.answer, with: validators) else { return }
                    let now = Timestamp(seconds: 0)
                    _ = CatalogIntake(reply, held: nil, from: url, now: now)
                }
            }
        }
        check(places, [.marks, .letters, .flags, .joined])
    }
}
