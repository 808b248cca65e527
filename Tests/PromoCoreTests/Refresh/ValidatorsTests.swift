import PromoCore
import PromoWire
import Testing

struct ValidatorsTests {
    private static let longest = OutsideText(String(repeating: "e", count: Validators.maximumLength))

    @Test func theLongestAreKept() {
        let kept = Validators(received: Self.longest, lastModified: Self.longest)
        #expect(kept == Validators(etag: Self.longest, lastModified: Self.longest))
    }

    /// Those that are too long, those that would not be sent back as they came, and those that no header can carry: by RFC 9110, section
    /// 5.5, a field's value has no CR, LF or NUL, and no other control but a tab.
    private static let unfit: [OutsideText] = [
        OutsideText(longest.bytes + [0x65]), "", "\"\u{FFFD}\"", "a\r\nX: y", "a\nb", "\0", "\u{1B}[31m", "\u{7F}",
    ]

    @Test(arguments: unfit)
    func oneThatCannotBeSentBackIsDropped(value: OutsideText) {
        #expect(Validators(received: value, lastModified: value).isEmpty)
    }

    /// RFC 9110, section 13.1.2: an asterisk matches any version, so it would be a 304 for ever.
    @Test func anAsteriskIsNoETag() {
        #expect(Validators(received: "*", lastModified: nil).isEmpty)
    }
}
