package import PromoWire

/// The picture formats that promod stores. SVG is not among them, because it can contain scripts.
package enum IconFormat: String, CaseIterable, Sendable {
    case png
    case jpeg
    case webp

    /// Recognises the format of a picture; fails unless it is whole, and every client can draw it.
    package init(of bytes: [UInt8], at url: HTTPSURL) throws(Failure) {
        do throws(PictureBytes.Flaw) { self = try PictureBytes(bytes: bytes).format() } catch {
            throw Failure(.schema, "\(url.brief) \(error.rawValue).")
        }
    }

    /// The media type.
    package var mediaType: String { "image/\(rawValue)" }

    /// The media types of all formats, as the value of an `Accept` header.
    package static let accepted = allCases.map(\.mediaType).joined(separator: ", ")
}

/// The bytes of a picture, which are followed to its end and not decoded. What comes after the end does not matter: clients skip it.
private struct PictureBytes {
    /// Why clients may not draw it, as a clause.
    enum Flaw: String, Error {
        case unknown = "is neither a PNG, nor a JPEG, nor a WebP picture"
        case incomplete = "is incomplete: the file ends before the picture does"
        case invalid = "is damaged, or breaks the rules of its format"
        case unusual = "is a JPEG or WebP that not every client draws, such as an animation or one in CMYK"
        // A few bytes can describe a picture that takes a gigabyte of a client's memory.
        case size = "has a side of no pixels, or of more than 1024"
        // 50 kB of them can inflate to 50 MB in a client.
        case texts = "has more than 16 KiB of compressed texts and colour profiles"
    }

    let bytes: [UInt8]

    /// The format of a picture that is whole, and that every client can draw.
    func format() throws(Flaw) -> IconFormat {
        let (format, size): (IconFormat, (width: Int, height: Int)) =
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                (.png, try png())
            } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                (.jpeg, try jpeg())
            } else if name(0) == "RIFF", name(8) == "WEBP" {
                (.webp, try webp())
            } else {
                throw .unknown
            }
        guard 1...1024 ~= size.width, 1...1024 ~= size.height else { throw .size }
        return format
    }

    /// Bytes, fewer if the picture ends before.
    private func part(_ at: Int, _ count: Int) -> ArraySlice<UInt8> { bytes.dropFirst(at).prefix(count) }
    private func name(_ at: Int) -> String { String(decoding: part(at, 4), as: Unicode.ASCII.self) }
    private func number(_ at: Int, _ count: Int) -> Int { part(at, count).reduce(0) { $0 << 8 | Int($1) } }
    private func little(_ at: Int, _ count: Int) -> Int { part(at, count).reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// The place after a number of bytes, which have to be there.
    private func end(_ at: Int, _ count: Int) throws(Flaw) -> Int {
        guard at + count <= bytes.count else { throw .incomplete }
        return at + count
    }

    private func png() throws(Flaw) -> (width: Int, height: Int) {
        var at = try end(8, 25), hasPalette = false, hasData = false, texts = 0
        // The depths that each type of colours may have, added up.
        let (depth, depths) = (number(24, 1), [0: 31, 2: 24, 3: 15, 4: 24, 6: 24][number(25, 1)] ?? 0)
        guard number(8, 4) == 13, name(12) == "IHDR", depth & depths == depth, depth.nonzeroBitCount == 1,
            number(26, 3) <= 1
        else { throw .invalid }
        // A chunk: the length of its contents, its name, its contents, a checksum.
        while true {
            let next = try end(at, 12 + number(at, 4))
            switch name(at + 4) {
            case "PLTE": hasPalette = true
            case "IDAT" where hasPalette || bytes[25] != 3: hasData = true
            case "IEND" where hasData: return (number(16, 4), number(20, 4))
            case "zTXt", "iTXt", "iCCP":
                texts += number(at, 4)
                guard texts <= 16 * 1024 else { throw .texts }
            // Others may be skipped if their names begin with a small letter.
            default: guard bytes[at + 4] & 0x20 != 0 else { throw .invalid }
            }
            at = next
        }
    }

    private func jpeg() throws(Flaw) -> (width: Int, height: Int) {
        var at = 2, size: (Int, Int)?, scans = 0
        while true {
            let start = try end(at, 2), marker = number(at, 2)
            if marker == 0xFFD9, scans > 0, let size { return size }
            guard marker >= 0xFFC0, !(0xFFD0...0xFFD9 ~= marker) else { throw .invalid }
            // The length of a segment counts itself. Before a marker, 0xFF may be repeated.
            at = marker == 0xFFFF ? at + 1 : try end(start, max(number(start, 2), 2))
            switch marker {
            case 0xFFC0...0xFFCF where marker != 0xFFC4:
                let channels = number(start + 7, 1)
                guard marker <= 0xFFC2, number(start + 2, 1) == 8, [1, 3].contains(channels) else { throw .unusual }
                guard size == nil, at == start + 8 + 3 * channels else { throw .invalid }
                size = (number(start + 5, 2), number(start + 3, 2))
            case 0xFFDA where size != nil:
                // Each costs a client a pass over the picture, and common programs write ten.
                scans += 1
                guard scans <= 100 else { throw .unusual }
                // A 0xFF among the data has a zero behind it, or a restart, before which it may be repeated.
                while at + 1 < bytes.count,
                    bytes[at] != 0xFF || [0, 0xFF].contains(bytes[at + 1]) || 0xD0...0xD7 ~= bytes[at + 1]
                {
                    at += 1
                }
            default: break
            }
        }
    }

    private func webp() throws(Flaw) -> (width: Int, height: Int) {
        var at = 12, canvas: (Int, Int)?
        let last = try end(8, little(4, 4))
        // A chunk: its name, the length of its contents, its contents, a zero if that is odd.
        while at + 8 + little(at + 4, 4) <= last {
            let start = at + 8, length = little(at + 4, 4), bits = little(start + 1, 4)
            var size: (Int, Int)?
            switch name(at) {
            case "VP8X" where at == 12 && length >= 10:
                guard bytes[start] & 2 == 0 else { throw .unusual }
                canvas = (little(start + 4, 3) + 1, little(start + 7, 3) + 1)
            // A key frame of a known version that is shown.
            case "VP8 " where length >= 10 && bytes[start] & 25 == 16 && number(start + 3, 3) == 0x9D012A:
                size = (little(start + 6, 2) & 0x3FFF, little(start + 8, 2) & 0x3FFF)
            case "VP8L" where length >= 5 && bytes[start] == 0x2F && bits >> 29 == 0:
                size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
            default: break
            }
            if let size, size == canvas ?? size { return size }
            guard canvas != nil else { break }
            at = start + length + length % 2
        }
        throw .invalid
    }
}
