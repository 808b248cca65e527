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
            SampleCatalog.bytes, of: url, validators: Validators(etag: "\"a\""), at: Self.now - .days(1))
        held = try HeldCatalog(contents)
    }

    private func intake(_ reply: OriginReply, held: HeldCatalog?) -> CatalogIntake {
        CatalogIntake(reply, held: held, from: url, now: Self.now)
    }

    @Test(arguments: [true, false])
    func aValidCatalogReplacesTheOneHeldAndTheSameBytesConfirmIt(isOther: Bool) throws {
        let text = String(decoding: SampleCatalog.bytes, as: UTF8.self)
        let bytes = isOther ? Array(text.replacing("FineBill", with: "Bill").utf8) : SampleCatalog.bytes
        let intake = intake(.body(bytes, Validators(etag: "\"b\"")), held: held)
        let next = try #require(intake.accepted)
        #expect(next.fetchedAt == Self.now)
        #expect(next.contents?.header.validators == Validators(etag: "\"b\""))
        #expect((next.generation != held.generation) == isOther)
        if case .updated = intake { #expect(isOther) } else { #expect(!isOther) }
    }

    private func age(_ reply: OriginReply) -> Duration? { intake(reply, held: held).accepted?.contents?.header.age }

    @Test func aNewCatalogIsAsOldAsItsResponse() {
        let text = String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "Bill")
        #expect(age(.body(Array(text.utf8), Validators(), age: .days(9))) == .days(9))
    }

    /// The one that is held came from the origin itself a day ago.
    @Test(arguments: [(Duration.minutes(1), Duration.minutes(1)), (.days(9), .days(1)), (.zero, .zero)])
    func anOlderConfirmationThanTheLastOneTellsNothingNew(said: Duration, counts: Duration) {
        #expect(age(.body(SampleCatalog.bytes, Validators(), age: said)) == counts)
        #expect(age(.notModified(Validators(), age: said)) == counts)
    }

    @Test(arguments: [
        ("777600", Duration.days(9)), ("-1", .zero), ("\"x\"", .zero), ("99999999999999", CatalogContents.longestAge),
    ])
    func theAgeIsInTheFile(text: String, age: Duration) throws {
        var contents = try #require(held.contents)
        contents.header.age = .days(9)
        let file = String(decoding: contents.fileParts.joined(), as: UTF8.self)
        contents.header.age = age
        let other = file.replacing("\"age\":777600", with: "\"age\":\(text)")
        #expect(try CatalogContents(fileBytes: Array(other.utf8)) == contents)
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

    private func failure(_ reply: OriginReply, held: HeldCatalog? = nil) -> Failure? {
        if case .failed(let failure) = intake(reply, held: held) { failure } else { nil }
    }

    @Test func a304WithoutACatalogIsAFailure() {
        for held in [nil, HeldCatalog.sample()] {
            #expect(failure(.notModified(Validators()), held: held)?.code == .httpStatus)
        }
    }

    /// libcurl takes a body without a length as whole wherever its connection ends.
    @Test func aCatalogThatIsCutAtAnyTenthByteIsNone() {
        let bytes = SampleCatalog.bytes
        for end in stride(from: 0, to: bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0, by: 10) {
            #expect(intake(.body(Array(bytes[..<end]), Validators()), held: held).accepted == nil, "\(end) bytes")
        }
    }

    @Test(arguments: [("{", ProblemCode.json), ("<html>", .json), (#"{"apps":[]}"#, .schema), ("", .json)])
    func anInvalidCatalogChangesNothing(text: String, code: ProblemCode) throws {
        let failure = try #require(self.failure(.body(Array(text.utf8), Validators())))
        #expect(failure.code == code)
        let claim = "The answer claims the encoding none, which promod did not ask for."
        let named = self.failure(.body(Array(text.utf8), Validators(), encoding: "none"))
        #expect(named == Failure(code, "\(claim) \(failure.message)"))
    }
}
