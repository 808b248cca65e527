import PromoCore
import PromoWire
import Testing

/// Applying an origin's reply to the catalog that is held.
struct CatalogIntakeTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private let url: HTTPSURL
    private let held: HeldCatalog

    init() throws {
        url = try #require(HTTPSURL("https://example.com/c.json"))
        let contents = CatalogContents(
            SampleCatalog.bytes, of: url, validators: Validators(etag: "\"a\""), at: Self.now - .seconds(86_400))
        held = try HeldCatalog(contents, isStored: true)
    }

    private func intake(_ reply: OriginReply, held: HeldCatalog?) -> CatalogIntake {
        CatalogIntake(
            reply, held: held, from: url, trust: .anyone, rule: HoldBackRule(isOn: true, before: nil, wait: .zero),
            now: Self.now)
    }

    @Test func aValidCatalogOfOtherBytesReplacesTheOneHeld() {
        let text = String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "Bill")
        guard case .updated(let next) = intake(.body(Array(text.utf8), Validators(etag: "\"b\"")), held: held) else {
            Issue.record("it was not taken")
            return
        }
        #expect(next.fetchedAt == Self.now)
        #expect(next.contents?.header.validators == Validators(etag: "\"b\""))
        #expect(next.generation != held.generation)
        #expect(!next.isStored)
    }

    @Test func theSameBytesConfirmTheCatalogHeldAndRenewItsValidators() {
        guard case .unchanged(let same) = intake(.body(SampleCatalog.bytes, Validators(etag: "\"b\"")), held: held)
        else {
            Issue.record("it was not the same")
            return
        }
        #expect(same.fetchedAt == Self.now)
        #expect(same.contents?.header.validators == Validators(etag: "\"b\""))
    }

    private func age(_ reply: OriginReply, _ age: Duration) -> Duration? {
        let intake = CatalogIntake(
            reply, age: age, held: held, from: url, trust: .anyone,
            rule: HoldBackRule(isOn: true, before: nil, wait: .zero),
            now: Self.now)
        return intake.accepted?.contents?.header.age
    }

    @Test func aNewCatalogIsAsOldAsItsResponse() {
        let text = String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "Bill")
        #expect(age(.body(Array(text.utf8), Validators()), .seconds(777_600)) == .seconds(777_600))
    }

    /// The one that is held came from the origin itself a day ago.
    @Test(arguments: [
        (Duration.seconds(60), Duration.seconds(60)), (.seconds(777_600), .seconds(86_400)), (.zero, .zero),
    ])
    func anOlderConfirmationThanTheLastOneTellsNothingNew(said: Duration, counts: Duration) {
        #expect(age(.body(SampleCatalog.bytes, Validators()), said) == counts)
        #expect(age(.notModified(Validators()), said) == counts)
    }

    @Test func theAgeIsInTheFile() throws {
        var contents = try #require(held.contents)
        contents.header.age = .seconds(777_600)
        let file = contents.fileParts.reduce([], +)
        #expect(try CatalogContents(fileBytes: file) == contents)
        for (text, expected) in [("-1", 0), ("\"x\"", 0), ("99999999999999", 31_536_000)] {
            let other = String(decoding: file, as: UTF8.self).replacing("\"age\":777600", with: "\"age\":\(text)")
            #expect(try CatalogContents(fileBytes: Array(other.utf8)).header.age == .seconds(expected))
        }
    }

    private static let confirmations: [(answered: OutsideText?, kept: OutsideText?)] = [
        (nil, "\"a\""), ("\"a\"", "\"a\""), ("W/\"a\"", "\"a\""), ("\"b\"", nil),
    ]

    @Test(arguments: confirmations)
    func a304ConfirmsButWithAnotherETagDropsTheValidators(answered: OutsideText?, kept: OutsideText?) {
        guard case .unchanged(let same) = intake(.notModified(Validators(etag: answered)), held: held) else {
            Issue.record("it was not the same")
            return
        }
        #expect(same.fetchedAt == Self.now)
        #expect(same.contents?.header.validators == Validators(etag: kept))
    }

    @Test func a304WithoutACatalogIsAFailure() {
        for held in [nil, HeldCatalog.sample()] {
            guard case .failed(let failure) = intake(.notModified(Validators()), held: held) else {
                Issue.record("it was taken")
                return
            }
            #expect(failure.code == .httpStatus)
        }
    }

    @Test(arguments: [("{", Failure.Code.json), ("<html>", .json), (#"{"apps":[]}"#, .schema), ("", .json)])
    func anInvalidCatalogChangesNothing(text: String, code: Failure.Code) {
        guard case .failed(let failure) = intake(.body(Array(text.utf8), Validators()), held: held) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == code)
    }

    @Test func aFailureWithoutANetworkIsOffline() {
        for (code, isOffline) in [(Failure.Code.dns, true), (.connect, true), (.tls, false), (.timeout, false)] {
            let reply = OriginReply.failed(Failure(code, "No."), httpStatus: nil, retryAfter: "120")
            guard
                case .failed(_, let retryAfter, let end, _) = intake(reply, held: held)
                    .end(of: reply, isOnline: { false }, now: Self.now)
            else {
                Issue.record("it did not fail")
                return
            }
            #expect(end == isOffline)
            #expect(retryAfter == .seconds(120))
        }
    }

    @Test(arguments: [(404, true), (410, true), (403, true), (408, false), (429, false), (503, false)])
    func aStatusThatALaterRequestWillNotChangeIsLasting(status: Int, isLasting: Bool) {
        let reply = OriginReply.failed(Failure(.httpStatus, "No."), httpStatus: status, retryAfter: nil)
        #expect(reply.isLasting == isLasting)
    }

    // MARK: Generations

    @Test func pagesOfAppsThatAreGoneAreStoredUpToALimit() throws {
        var contents = try #require(held.contents)
        for number in 0..<2000 {
            contents.header.departed["app-\(number)"] = StorePage(
                appStoreID: "\(number)", url: "https://a.example/\(number)")
        }
        let stored = try CatalogContents(fileBytes: contents.fileParts.reduce([], +)).header.departed
        #expect(stored.count == 1000 && stored["app-1"] == contents.header.departed["app-1"])
        let long = "https://a.example/" + String(repeating: "x", count: 1500)
        for id in contents.header.departed.keys { contents.header.departed[id] = StorePage(appStoreID: "1", url: long) }
        let parts = contents.fileParts
        #expect(parts[0].count < 1 << 19)
        #expect((100..<1000).contains(try CatalogContents(fileBytes: parts.reduce([], +)).header.departed.count))
    }

    @Test(arguments: [
        "7", "[7,{}]", #"[{"id":"A b","appStoreID":"1","url":"https://a.example/"}]"#,
        #"[{"id":"a","appStoreID":"1","url":"http://a.example/"}]"#,
    ])
    func pagesThatAreNoneAreIgnored(text: String) throws {
        var contents = try #require(held.contents)
        contents.header.departed["x"] = StorePage(appStoreID: "1", url: "https://a.example/x")
        let file = String(decoding: contents.fileParts.reduce([], +), as: UTF8.self)
        let hostile = file.replacing(#/"departed":\[[^\]]*\]/#, with: "\"departed\":\(text)")
        #expect(hostile != file)
        #expect(try CatalogContents(fileBytes: Array(hostile.utf8)).header.departed == [:])
    }

    /// Pages that promod would not have written.
    @Test func pagesAreReadUpToTheSameLimit() throws {
        var contents = try #require(held.contents)
        contents.header.departed["x"] = StorePage(appStoreID: "1", url: "https://a.example/x")
        let file = String(decoding: contents.fileParts.reduce([], +), as: UTF8.self)
        let long = "https://a.example/" + String(repeating: "x", count: 1500)
        let pages = (0..<900).map { "{\"id\":\"app-\($0)\",\"appStoreID\":\"1\",\"url\":\"\(long)\"}" }
        let large = file.replacing(
            #/"departed":\[[^\]]*\]/#, with: "\"departed\":[\(pages.joined(separator: ","))]")
        #expect((100..<900).contains(try CatalogContents(fileBytes: Array(large.utf8)).header.departed.count))
    }

    @Test func theAppsOfThePreviousGenerationAreKnownUntilTheNext() throws {
        let text =
            #"{"apps":[{"id":"new","name":"N","appStoreID":"1","iconURL":"https://example.com/i","category":"C","tagline":{"en":"T"}}]}"#
        let contents = CatalogContents(Array(text.utf8), of: url, validators: Validators(), at: Self.now)
        let next = try HeldCatalog(contents, isStored: true)
        var generations = Generations()
        generations.serve(held)
        #expect(generations.departed == [:])
        generations.serve(held)
        #expect(generations.departed == [:])
        generations.serve(next)
        #expect(generations.departed.count == 5)
        generations.serve(held)
        #expect(generations.departed["new"]?.appStoreID == "1")
        generations.serve(nil)
        #expect(generations.departed.count == 5)
    }
}
