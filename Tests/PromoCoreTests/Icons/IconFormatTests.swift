import PromoCore
import PromoWire
import Testing

/// Which bytes are pictures, and what their files are called.
struct IconFormatTests {
    private static let pictures: [(IconFormat, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
        (.webp, Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8)),
    ]

    @Test(arguments: pictures)
    func aFormatIsKnownByTheFirstBytes(format: IconFormat, bytes: [UInt8]) throws {
        #expect(IconFormat(bytes) == format)
        let url = try #require(HTTPSURL("https://a.example/i.svg"))
        let icon = try StoredIcon(bytes, of: url, validators: Validators(), fetchedAt: .start)
        #expect(icon.fileName.hasSuffix(".\(format.rawValue)"))
        #expect(StoredIcon.isFileName(icon.fileName))
        #expect(icon.matches(bytes))
        #expect(!icon.matches(bytes + [0]))
    }

    @Test(arguments: [
        "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<?xml version=\"1.0\"?><svg/>", "GIF89a", "<!doctype html>",
        "RIFF0000WAVE", "RAFF0000WEBP", "RIFFWEBP", "\u{89}PNG",
    ])
    func everythingElseIsNoPicture(text: String) throws {
        #expect(IconFormat(Array(text.utf8)) == nil)
        let url = try #require(HTTPSURL("https://a.example/i.png"))
        let failure = #expect(throws: Failure.self) {
            try StoredIcon(Array(text.utf8), of: url, validators: Validators(), fetchedAt: .start)
        }
        #expect(failure?.message.contains("https://a.example/i.png") == true)
    }

    @Test(arguments: [
        "", ".", "book.json", "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef.",
        "0123456789abcdef0123456789abcdef.svg", "0123456789abcdef0123456789abcde.png",
        "0123456789ABCDEF0123456789abcdef.png", "../0123456789abcdef0123456789abc.png",
        "0123456789abcdef0123456789abcdef.png.png",
    ])
    func otherNamesAreNotThoseOfPictures(name: String) {
        #expect(!StoredIcon.isFileName(name))
    }
}
