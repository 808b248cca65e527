import PromoCore
import Testing

struct ValidatorsTests {
    @Test func anETagThatIsTooLongIsDropped() {
        let longest = String(repeating: "e", count: 1024)
        #expect(
            Validators(received: longest, lastModified: longest) == Validators(etag: longest, lastModified: longest))
        #expect(Validators(received: longest + "e", lastModified: nil).isEmpty)
        #expect(Validators(received: nil, lastModified: longest + "e").isEmpty)
    }
}
