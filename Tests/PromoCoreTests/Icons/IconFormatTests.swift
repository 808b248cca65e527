import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Which bytes are pictures that are kept, and what their files are called.
struct IconFormatTests {
    private func icon(_ bytes: [UInt8]) throws(Failure) -> StoredIcon {
        guard let url = HTTPSURL("https://a.example/i") else { throw Failure(.configuration, "") }
        return try StoredIcon(bytes, of: url, validators: Validators())
    }

    private func expectRefusal(of bytes: [UInt8], saying says: String = "https://a.example/i", _ what: String) {
        let failure = #expect(throws: Failure.self, "\(what)") { try icon(bytes) }
        #expect(failure?.message.contains(says) == true, "\(what): \(failure?.message ?? "")")
    }

    private static let undrawn = ["jpeg-cmyk", "webp-animated"]

    @Test(arguments: Pictures.names)
    func aPictureIsKeptIfItIsWholeAndDrawnEverywhere(name: String) throws {
        let bytes = Pictures.named(name)
        guard !Self.undrawn.contains(name) else {
            return expectRefusal(of: bytes, saying: "not every client draws", name)
        }
        for bytes in [bytes, bytes + [0], bytes + Array("<html>".utf8)] {
            let icon = try icon(bytes)
            #expect(icon.mediaType == "image/\(name.prefix { $0 != "-" })")
            #expect(StoredIcon.isFileName(icon.fileName))
            #expect(icon.matches(bytes))
            #expect(!icon.matches(bytes + [0]))
        }
        for count in 0..<bytes.count {
            expectRefusal(of: Array(bytes.prefix(count)), "\(name), its first \(count) bytes")
        }
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let damages: [(String, [UInt8], by: [UInt8], String)] = [
        ("png-rgb", ascii("IHDR"), ascii("CgBI"), "damaged"), ("png-rgb", ascii("IDAT"), ascii("iDAT"), "damaged"),
        ("png-rgb", ascii("IDAT"), ascii("XDAT"), "damaged"), ("png-rgb", ascii("IEND"), ascii("tEND"), "incomplete"),
        ("png-rgb", [8, 2, 0, 0, 0], [4, 2, 0, 0, 0], "damaged"),
        ("png-rgb", [8, 2, 0, 0, 0], [8, 5, 0, 0, 0], "damaged"),
        ("png-rgb", [8, 2, 0, 0, 0], [8, 2, 0, 0, 2], "damaged"), ("png-rgb", [0, 0, 0, 4], [0, 0, 4, 1], "1024"),
        ("png-rgb", [0, 0, 0, 3, 8], [0, 0, 0, 0, 8], "no pixels"),
        ("png-palette", ascii("PLTE"), ascii("pLTE"), "damaged"),
        ("png-rgb", ascii("IDAT"), ascii("IHDR"), "damaged"),
        ("jpeg-baseline", [0xFF, 0xC0], [0xFF, 0xC3], "not every client"),
        ("jpeg-baseline", [0xFF, 0xC0], [0xFF, 0xC9], "not every client"),
        ("jpeg-baseline", [0, 17, 8, 0, 3], [0, 17, 12, 0, 3], "not every client"),
        ("jpeg-baseline", [8, 0, 3, 0, 4, 3], [8, 0, 3, 8, 4, 3], "1024"),
        ("jpeg-baseline", [8, 0, 3, 0, 4, 3], [8, 0, 0, 0, 4, 3], "no pixels"),
        ("jpeg-baseline", [0xFF, 0xC0], [0xFF, 0xE0], "damaged"),
        ("jpeg-baseline", [0xFF, 0xDB], [0xFE, 0xDB], "damaged"),
        ("jpeg-progressive", [0xFF, 0xDA], [0xFF, 0xD9], "damaged"),
        ("jpeg-progressive", [0xFF, 0xD9], [0xFF, 0], "incomplete"),
        ("webp-lossy", ascii("WEBP"), ascii("WAVE"), "neither a PNG"),
        ("webp-lossy", ascii("VP8 "), ascii("VP9 "), "damaged"),
        ("webp-lossy", [0x9D, 1, 0x2A], [0x9D, 1, 0x2B], "damaged"),
        ("webp-lossy", [0x2A, 4, 0], [0x2A, 4, 5], "1024"),
        ("webp-lossy", [0x2A, 4, 0], [0x2A, 0, 0], "no pixels"), ("webp-lossless", [0x2F], [0x2E], "damaged"),
        ("webp-alpha", [3, 0, 0, 2, 0, 0], [4, 0, 0, 2, 0, 0], "damaged"),
    ]

    @Test(arguments: damages)
    func aDamagedPictureIsNotKept(name: String, part: [UInt8], by other: [UInt8], says: String) throws {
        var bytes = Pictures.named(name)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: part) }, "\(name) has no \(part)")
        bytes.replaceSubrange(place..<place + part.count, with: other)
        expectRefusal(of: bytes, saying: says, "\(name) with \(other) for \(part)")
    }

    /// A client draws a picture again for each scan.
    @Test func aPictureOfMoreThanAHundredScansIsNotKept() throws {
        let bytes = Pictures.named("jpeg-progressive")
        let scans = bytes.indices.filter { bytes[$0...].starts(with: [0xFF, 0xDA]) }
        let last = try #require(scans.last)
        func picture(of count: Int) -> [UInt8] {
            let copies = Array(repeating: bytes[last..<(bytes.count - 2)], count: count - scans.count + 1)
            return Array(bytes[..<last] + copies.joined() + [0xFF, 0xD9])
        }
        _ = try icon(picture(of: 100))
        expectRefusal(of: picture(of: 101), saying: "not every client draws", "a picture of 101 scans")
    }

    /// 50 kB of compressed text inflate to 50 MB in some clients.
    @Test(arguments: ["zTXt", "iTXt", "iCCP"])
    func aPictureWithMuchCompressedTextIsNotKept(name: String) throws {
        let bytes = Pictures.named("png-rgb")
        let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Self.ascii("IDAT")) }) - 4
        func picture(_ lengths: [Int]) -> [UInt8] {
            let chunks = lengths.map { length in
                let count = [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
                return [0] + count + Self.ascii(name) + [UInt8](repeating: 0, count: length + 4)
            }
            return Array(bytes[..<data] + chunks.joined() + bytes[data...])
        }
        _ = try icon(picture([16 * 1024]))
        expectRefusal(of: picture([16 * 1024 + 1]), saying: "16 KiB", "a large \(name)")
        expectRefusal(of: picture([9000, 9000]), saying: "16 KiB", "two of \(name)")
    }

    @Test(arguments: [
        "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<?xml version=\"1.0\"?><svg/>", "GIF89a", "<!doctype html>",
        "RIFF0000WAVE", "RAFF0000WEBP", "RIFFWEBP", "\u{89}PNG",
    ])
    func everythingElseIsNoPicture(text: String) { expectRefusal(of: Array(text.utf8), saying: "neither a PNG", text) }

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
