import PromoFetch
import PromoTestSupport
import Testing

struct GunzipTests {
    /// "promod\n" by gzip -n.
    private let member: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x2B, 0x28, 0xCA, 0xCF, 0xCD, 0x4F, 0xE1, 0x02, 0, 0x7D, 0xA7, 0x0F,
        0x47, 0x07,
        0, 0, 0,
    ]
    private let text = Array("promod\n".utf8)

    init() {
        #expect(FetchLibraries.load() == nil)
    }

    private func decompress(_ bytes: [UInt8], by size: Int = .max, upTo limit: Int = .max) throws -> [UInt8]? {
        let gunzip = Gunzip()
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            let goesOn = try gunzip.decompress(Array(piece)) { bytes in
                result += bytes
                return result.count <= limit
            }
            guard goesOn else { return nil }
        }
        try gunzip.finish()
        return result
    }

    @Test(arguments: [1, 3, 100]) func membersAreOneTextHoweverTheyArrive(size: Int) throws {
        #expect(try decompress(member, by: size) == text)
        #expect(try decompress(member + member + member, by: size) == text + text + text)
    }

    @Test func itStopsWhenItIsTold() throws {
        #expect(try decompress(member, upTo: 6) == nil)
        #expect(try decompress(member + member, upTo: 13) == nil)
    }

    @Test func aStreamThatEndsTooEarlyIsRefused() {
        for count in 0..<member.count {
            #expect(throws: Gunzip.Invalid.self) { try decompress(Array(member.prefix(count))) }
            guard count > 0 else { continue }
            #expect(throws: Gunzip.Invalid.self) { try decompress(member + Array(member.prefix(count))) }
        }
    }

    @Test(arguments: [1, 100]) func bytesThatAreNotGzipAreRefused(size: Int) {
        #expect(throws: Gunzip.Invalid.self) { try decompress(text, by: size) }
        #expect(throws: Gunzip.Invalid.self) { try decompress(member + text, by: size) }
    }

    @Test func noChangedByteCrashesTheDecompression() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var broken = member + member
            broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if let read = try? decompress(broken, upTo: 1000) { #expect(read.count <= 1000) }
        }
    }
}
