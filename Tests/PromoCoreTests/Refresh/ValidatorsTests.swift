import PromoCore
import PromoWire
import Testing

struct ValidatorsTests {
    @Test func anETagThatIsTooLongIsDropped() {
        let longest = OutsideText(String(repeating: "e", count: 1024))
        #expect(
            Validators(received: longest, lastModified: longest) == Validators(etag: longest, lastModified: longest))
        #expect(Validators(received: OutsideText(longest.bytes + "e".utf8), lastModified: nil).isEmpty)
        #expect(Validators(received: nil, lastModified: OutsideText(longest.bytes + "e".utf8)).isEmpty)
    }

    /// RFC 9110, section 13.1.2: an asterisk matches any version, so it would be a 304 for ever.
    @Test func anAsteriskIsNoETag() {
        #expect(Validators(received: "*", lastModified: nil).isEmpty)
    }

    @Test(arguments: ["", "\"\u{FFFD}\""])
    func aValidatorThatWouldNotBeSentBackAsItCameIsDropped(value: OutsideText) {
        #expect(Validators(received: value, lastModified: value).isEmpty)
    }

    /// RFC 9110, section 5.5: a field's value has no CR, LF or NUL, and no other control but a tab.
    @Test(arguments: ["a\r\nX: y", "a\nb", "\0", "\u{1B}[31m", "\u{7F}"])
    func aValidatorThatNoHeaderCanCarryIsDropped(value: OutsideText) {
        #expect(Validators(received: value, lastModified: value).isEmpty)
    }

    private static let changed: OutsideText = "Fri, 15 Jan 2027 08:00:00 GMT"

    @Test(arguments: [
        ("Fri, 15 Jan 2027 08:00:00 GMT", false), ("Fri, 15 Jan 2027 07:59:59 GMT", false),
        ("Fri, 15 Jan 2027 08:00:01 GMT", true), (nil, true), ("soon", true),
    ])
    func aTimeOfChangeCountsOnlyASecondBeforeTheResponse(date: OutsideText?, counts: Bool) {
        let validators = Validators(received: nil, lastModified: Self.changed, date: date)
        #expect(validators.lastModified == (counts ? Self.changed : nil))
    }
}
