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
        try CatalogTrust(keys: keys).check(CatalogText(bytes))
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
        let again = try #require(PrivateKey(pem: key.pem))
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
        #expect(PrivateKey(pem: pem)?.publicKey.description == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    ])
    func aTextThatIsNoKeyIsRefused(text: String) {
        #expect(PrivateKey(pem: text) == nil)
        #expect(PublicKey(text) == nil)
    }

    // MARK: Intake

    private func intake(_ bytes: [UInt8], held: [UInt8]?, now: Timestamp) throws -> CatalogIntake {
        let url = try #require(HTTPSURL("https://example.com/c.json"))
        let trust = CatalogTrust(keys: [key.publicKey])
        let held = try held.map { bytes in
            try HeldCatalog(
                CatalogContents(bytes, of: url, validators: Validators(), at: now - .hours(24)), isStored: true,
                trust: trust)
        }
        return CatalogIntake(
            .body(bytes, Validators()), held: held, from: url, trust: trust,
            rule: HoldBackRule(isOn: true, before: nil, wait: .zero), now: now)
    }

    @Test func anOlderCatalogThanTheOneHeldIsNotTakenAndThatIsSaid() throws {
        let now = time + .hours(9)
        let new = try signed(at: time + .hours(2))
        guard case .outdated(let held, let failure) = try intake(try signed(at: time), held: new, now: now) else {
            Issue.record("the older one was taken")
            return
        }
        #expect(held.contents?.bytes == new)
        #expect(held.fetchedAt == now)
        #expect(failure.code == .signature && failure.message.contains("2027-01-15T08:00:00Z"))
        guard case .updated = try intake(new, held: try signed(at: time), now: now) else {
            Issue.record("the newer one was not taken")
            return
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
