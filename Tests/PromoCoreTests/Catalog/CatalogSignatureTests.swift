import PromoCore
import PromoWire
import Testing

/// Signing a catalog, and whether a signature counts.
@Suite struct CatalogSignatureTests {
    private let key = PrivateKey()
    private let time = Timestamp.start

    private func signed(_ bytes: [UInt8] = SampleCatalog.bytes, at time: Timestamp = .start) throws -> [UInt8] {
        try CatalogSignature.sign(bytes, with: key, at: time)
    }

    private func check(_ bytes: [UInt8], _ keys: PublicKey...) throws -> Timestamp? {
        let signature = try CatalogTrust(keys: keys).check(CatalogText(bytes))
        #expect(signature.map { keys.contains($0.key) } ?? true)
        return signature?.signedAt
    }

    @Test func aSignedCatalogCountsAndIsTheSameCatalog() throws {
        let signed = try signed()
        #expect(try check(signed, key.publicKey) == time)
        #expect(try check(signed, PrivateKey().publicKey, key.publicKey) == time)
        #expect(try AppCatalog(signed) == AppCatalog(SampleCatalog.bytes))
        #expect(try CatalogText(signed).warnings.isEmpty)
    }

    @Test func everythingElseStaysByteForByte() throws {
        let text = String(decoding: try signed(), as: UTF8.self)
        let range = try #require(text.firstRange(of: ",\n  \"signature\""))
        let rest = try #require(text[range.lowerBound...].firstRange(of: "}"))
        #expect(
            text[..<range.lowerBound] + text[rest.upperBound...] == String(decoding: SampleCatalog.bytes, as: UTF8.self)
        )
    }

    @Test func aCatalogIsSignedAgainInItsPlace() throws {
        let again = try signed(signed(), at: time + .hours(1))
        #expect(try check(again, key.publicKey) == time + .hours(1))
        #expect(try again.count == signed().count)
    }

    @Test func aByteOrderMarkStaysAndIsNotSigned() throws {
        let signed = try signed([0xEF, 0xBB, 0xBF] + SampleCatalog.bytes)
        #expect(signed.starts(with: [0xEF, 0xBB, 0xBF]))
        #expect(try check(signed, key.publicKey) == time)
        #expect(try check(Array(signed.dropFirst(3)), key.publicKey) == time)
    }

    @Test(arguments: [
        (#"{"apps":[],"promoRules":{}}"#, #"{"apps":[],"promoRules":{}, "signature": {"signedAt""#),
        ("{\r\n\t\"apps\":[],\r\n\t\"promoRules\":{}\r\n}\r\n", "\"promoRules\":{},\r\n\t\"signature\": {\"signedAt"),
        (#"{"signature":{"value":"","x":1},"apps":[],"promoRules":{}}"#, #"{"signature": {"signedAt": ""#),
        (#"{"signature" :  7 ,"apps":[],"promoRules":{}}"#, #"{"signature" : {"signedAt": ""#),
    ])
    func theMemberIsIndentedAsTheCatalogIsAndAlwaysWrittenInTheSameWay(_ catalog: String, _ part: String) throws {
        let signed = try signed(Array(catalog.utf8))
        #expect(String(decoding: signed, as: UTF8.self).contains(part), "\(String(decoding: signed, as: UTF8.self))")
        #expect(try check(signed, key.publicKey) == time)
    }

    @Test func eachChangedByteMakesItBad() throws {
        let good = try signed()
        for index in stride(from: 0, to: good.count, by: 7) {
            var bad = good
            bad[index] ^= 1
            #expect(throws: CatalogError.self, "byte \(index)") { try check(bad, key.publicKey) }
        }
        #expect(throws: CatalogError.self) { try check(good + [0x20], key.publicKey) }
    }

    @Test(arguments: [
        "{}", "[]", #"{"signature":7}"#, #"{"signature":{"signedAt":"2027-01-15T08:00:00Z"}}"#,
        #"{"signature":{"signedAt":"then","value":""}}"#,
        #"{"signature":{"signedAt":"2027-01-15T08:00:00Z","value":""}}"#,
        #"{"signature":{"signedAt":"2027-01-15T08:00:00Z","value":"AAAA"}}"#,
        #"{"apps":{"signature":{"signedAt":"2027-01-15T08:00:00Z","value":"AAAA"}}}"#,
    ])
    func aCatalogWithoutAGoodSignatureDoesNotCount(text: String) {
        let error = #expect(throws: CatalogError.self) { try check(Array(text.utf8), key.publicKey) }
        #expect(error?.failure.code == .signature)
    }

    @Test func withoutKeysEveryCatalogCounts() throws {
        #expect(try check(SampleCatalog.bytes) == nil)
        #expect(try check(signed()) == nil)
    }

    @Test func aKeyComesBackFromItsFile() throws {
        let again = try #require(PrivateKey(pem: OutsideText(key.pem)))
        #expect(again.publicKey == key.publicKey)
        #expect(PublicKey(key.publicKey.description) == key.publicKey)
    }

    /// The first test vector of RFC 8032, as OpenSSL writes it.
    @Test func aKeyOfAnotherProgramIsRead() {
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----

            """
        #expect(
            PrivateKey(pem: OutsideText(pem))?.publicKey.description == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    ])
    func aTextThatIsNoKeyIsRefused(text: String) {
        #expect(PrivateKey(pem: OutsideText(text)) == nil)
        #expect(PublicKey(text) == nil)
    }

    /// The characters of the value are not signed, so each other spelling of them would be another document that counts.
    @Test(
        arguments: [
            { $0 + "\n" }, { " " + $0 }, { String($0.dropLast(2)) }, { $0.replacing("==", with: "=") },
            { value in
                // The last character before the padding has 4 bits that belong to no byte.
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
                let last = Array(value)[85]
                return value.dropLast(3) + String(alphabet[(alphabet.firstIndex(of: last) ?? 0) + 1]) + "=="
            },
            { "\\u00" + String($0.utf8.first ?? 0, radix: 16) + $0.dropFirst() },
        ] as [@Sendable (String) -> String])
    func aSignatureHasOneForm(spelling: @Sendable (String) -> String) throws {
        let text = String(decoding: try signed(), as: UTF8.self)
        let value = try #require(text.firstMatch(of: /"value": "([^"]*)"/)?.1)
        let other = text.replacing(value, with: spelling(String(value)).replacing("\n", with: "\\n"))
        #expect(other != text)
        let error = #expect(throws: CatalogError.self) { try check(Array(other.utf8), key.publicKey) }
        #expect(error?.failure.message.contains("exactly as \"promod sign\" writes them") == true)
    }

    // MARK: Intake

    private let url = HTTPSURL("https://example.com/c.json")

    private func held(_ bytes: [UInt8], at time: Timestamp = .start) throws -> HeldCatalog {
        try HeldCatalog(
            CatalogContents(bytes, of: try #require(url), validators: Validators(), at: time), isStored: true,
            trust: CatalogTrust(keys: [key.publicKey]))
    }

    private func intake(_ bytes: [UInt8], held bytesHeld: [UInt8]?, now: Timestamp) throws -> CatalogIntake {
        let current = try bytesHeld.map { try held($0, at: now - .hours(24)) }
        var signatures = SignatureBook()
        if let current { signatures.accept(current, now: now) }
        return CatalogIntake(
            .body(bytes, Validators()), held: current, from: try #require(url),
            trust: CatalogTrust(keys: [key.publicKey]),
            signatures: signatures, rule: HoldBackRule(isOn: true, before: nil, wait: .zero), now: now)
    }

    @Test func anOlderCatalogThanTheOneHeldIsAFailure() throws {
        let now = time + .hours(9)
        let new = try signed(at: time + .hours(2))
        guard case .failed(let failure) = try intake(try signed(at: time), held: new, now: now) else {
            Issue.record("the older one was taken")
            return
        }
        #expect(failure.code == .signature && failure.message.contains("2027-01-15T08:00:00Z"))
        guard case .updated = try intake(new, held: try signed(at: time), now: now) else {
            Issue.record("the newer one was not taken")
            return
        }
    }

    @Test func anotherCatalogOfTheSameSecondIsAFailure() throws {
        let other = try signed(
            Array(String(decoding: SampleCatalog.bytes, as: UTF8.self).replacing("FineBill", with: "FineBills").utf8))
        guard case .failed(let failure) = try intake(other, held: try signed(), now: time) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .signature && failure.message.contains("Sign it again"))
    }

    @Test func theSameContentTwiceIsTheSameGenerationEvenWithAByteOrderMark() throws {
        let signed = try signed()
        guard case .unchanged(let same) = try intake([0xEF, 0xBB, 0xBF] + signed, held: signed, now: time) else {
            Issue.record("a byte order mark made another catalog of it")
            return
        }
        #expect(try same.generation == held(signed).generation && same.fetchedAt == time)
    }

    /// Another promod with the same state directory may have accepted a newer one meanwhile.
    @Test func aConfirmationOfACatalogThatIsOlderThanTheLastOneAcceptedIsAFailure() throws {
        let (old, now) = (try held(try signed()), time + .hours(1))
        var signatures = SignatureBook()
        signatures.accept(try held(try signed(at: now)), now: now)
        for reply in [OriginReply.notModified(Validators()), .body(old.contents?.bytes ?? [], Validators())] {
            let intake = CatalogIntake(
                reply, held: old, from: try #require(url), trust: CatalogTrust(keys: [key.publicKey]),
                signatures: signatures, rule: HoldBackRule(isOn: true, before: nil, wait: .zero), now: now)
            guard case .failed(let failure) = intake else {
                Issue.record("it was confirmed")
                continue
            }
            #expect(failure.code == .signature)
        }
    }

    // MARK: The book

    private func book(_ signatures: [(PrivateKey, address: String, Timestamp)]) throws -> SignatureBook {
        var book = SignatureBook()
        for (key, address, time) in signatures { book.accept(try held(key, address, time), now: .start + .hours(9999)) }
        return book
    }

    private func held(_ key: PrivateKey, _ address: String, _ time: Timestamp) throws -> HeldCatalog {
        try HeldCatalog(
            CatalogContents(
                CatalogSignature.sign(SampleCatalog.bytes, with: key, at: time), of: try #require(HTTPSURL(address)),
                validators: Validators(), at: .start), isStored: true, trust: CatalogTrust(keys: [key.publicKey]))
    }

    @Test func anotherKeyAndAnotherAddressBeginAnew() throws {
        let (old, new, address) = (time, time + .hours(1), "https://example.com/c.json")
        let book = try book([(key, address, new)])
        let (other, trust) = (PrivateKey(), CatalogTrust(keys: [key.publicKey]))
        #expect(book.refusal(of: try held(key, address, old), trust: trust, now: new) != nil)
        let alone = CatalogTrust(keys: [other.publicKey])
        #expect(book.refusal(of: try held(other, address, old), trust: alone, now: new) == nil)
        let elsewhere = try held(key, "https://example.com/d.json", old)
        #expect(book.refusal(of: elsewhere, trust: trust, now: new) == nil)
        #expect(book.refusal(of: try held(key, address, new), trust: trust, now: new) == nil)
    }

    /// Otherwise the catalogs of the old key could be replayed while both keys count.
    @Test func keysThatCountTogetherHaveOneNewestSignature() throws {
        let (next, address) = (PrivateKey(), "https://example.com/c.json")
        let (first, second, third) = (time, time + .hours(1), time + .hours(2))
        let book = try book([(key, address, first), (next, address, second)])
        let both = CatalogTrust(keys: [key.publicKey, next.publicKey])
        #expect(book.refusal(of: try held(key, address, first), trust: both, now: third)?.code == .signature)
        #expect(book.refusal(of: try held(next, address, second), trust: both, now: third) == nil)
        #expect(book.refusal(of: try held(key, address, third), trust: both, now: third) == nil)
    }

    @Test func anOlderSignatureDoesNotReplaceANewerOneNeitherHereNorByMerging() throws {
        let address = "https://example.com/c.json"
        let newer = try book([(key, address, time + .hours(1)), (key, address, time)])
        var older = try book([(key, address, time)])
        #expect(newer == (try book([(key, address, time + .hours(1))])))
        older.merge(newer)
        #expect(older == newer)
        older.merge(try book([(key, address, time)]))
        #expect(older == newer)
    }

    @Test func theLeastRecentlyUsedOfMoreThan256IsDropped() throws {
        let addresses = (0...SignatureBook.capacity).map { "https://example.com/\($0).json" }
        let book = try book(addresses.map { (key, $0, time + .hours(1)) })
        let trust = CatalogTrust(keys: [key.publicKey])
        #expect(book.refusal(of: try held(key, addresses[0], time), trust: trust, now: time + .hours(1)) == nil)
        #expect(book.refusal(of: try held(key, addresses[1], time), trust: trust, now: time + .hours(1)) != nil)
        #expect(book.fileBytes.count <= SignatureBook.maximumBytes)
        #expect(SignatureBook(fileBytes: book.fileBytes) == book)
    }

    @Test func aBookIsReadBackAndAnythingElseIsNot() throws {
        let book = try book([
            (key, "https://a:secret@example.com/c.json", time), (PrivateKey(), "https://b.example/c", time),
        ])
        let text = String(decoding: book.fileBytes, as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("example"))
        #expect(SignatureBook(fileBytes: book.fileBytes) == book)
        for other in [
            "", "{}", "{}\n", text + "\n", String(text.dropLast()),
            text.replacing("\"format\":1", with: "\"format\":2"),
            text.replacing("2027-", with: "2027/"), text.replacing("\"signedAt\"", with: "\"x\":1,\"signedAt\""),
        ] {
            #expect(SignatureBook(fileBytes: Array(other.utf8)) == nil, "\(other)")
        }
    }

    /// Otherwise one signature by a clock that ran ahead would stop all updates.
    @Test func aSignatureFromTheFutureDoesNotStopUpdates() throws {
        let future = try signed(at: time + .hours(24 * 365))
        guard case .updated = try intake(try signed(at: time), held: future, now: time) else {
            Issue.record("the update was not taken")
            return
        }
    }

    @Test func anUnsignedCatalogIsAFailure() throws {
        guard case .failed(let failure) = try intake(SampleCatalog.bytes, held: try signed(), now: time) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .signature)
    }
}
