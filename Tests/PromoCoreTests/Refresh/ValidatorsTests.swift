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
}
