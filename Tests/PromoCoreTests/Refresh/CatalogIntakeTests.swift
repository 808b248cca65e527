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
        #expect(next.fetchedAt == Self.now && next.contents?.header.validators == Validators(etag: "\"b\""))
        #expect((next.generation != held.generation) == isOther)
        if case .updated = intake { #expect(isOther) } else { #expect(!isOther) }
    }

    private func age(_ reply: OriginReply) -> Duration? { intake(reply, held: held).accepted?.contents?.header.age }

    @Test func aNewCatalogIsAsOldAsItsResponse() {
        let text = String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "Bill")
        #expect(age(.body(Array(text.utf8), Validators(), age: .seconds(777_600))) == .seconds(777_600))
    }

    /// The one that is held came from the origin itself a day ago.
    @Test(arguments: [
        (Duration.seconds(60), Duration.seconds(60)), (.seconds(777_600), .seconds(86_400)), (.zero, .zero),
    ])
    func anOlderConfirmationThanTheLastOneTellsNothingNew(said: Duration, counts: Duration) {
        #expect(age(.body(SampleCatalog.bytes, Validators(), age: said)) == counts)
        #expect(age(.notModified(Validators(), age: said)) == counts)
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

    /// libcurl takes a body without a length as whole wherever its connection ends.
    @Test func aCatalogThatIsCutAtAnyTenthByteIsNone() {
        let bytes = SampleCatalog.bytes
        for end in stride(from: 0, to: bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0, by: 10) {
            #expect(intake(.body(Array(bytes[..<end]), Validators()), held: held).accepted == nil, "\(end) bytes")
        }
    }

    @Test(arguments: [("{", ProblemCode.json), ("<html>", .json), (#"{"apps":[]}"#, .schema), ("", .json)])
    func anInvalidCatalogChangesNothing(text: String, code: ProblemCode) {
        guard case .failed(let failure) = intake(.body(Array(text.utf8), Validators()), held: held) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == code)
        guard case .failed(let named) = intake(.body(Array(text.utf8), Validators(), encoding: "none"), held: held)
        else {
            Issue.record("it was taken")
            return
        }
        #expect(
            named
                == Failure(
                    code, "The answer claims the encoding none, which promod did not ask for. \(failure.message)"))
    }
}
