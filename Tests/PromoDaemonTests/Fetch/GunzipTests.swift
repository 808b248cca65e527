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

    @Test(arguments: [1, 3, 100]) func membersAreOneTextHoweverTheyArrive(size: Int) {
        #expect(Gunzip.decompress(member, by: size) == .whole(text))
        #expect(Gunzip.decompress(member + member + member, by: size) == .whole(text + text + text))
    }

    @Test func itStopsWhenItIsTold() {
        #expect(Gunzip.decompress(member, upTo: 6) == .overLimit)
        #expect(Gunzip.decompress(member + member, upTo: 13) == .overLimit)
    }

    @Test func aStreamThatEndsTooEarlyIsRefused() {
        for count in 0..<member.count {
            #expect(Gunzip.decompress(Array(member.prefix(count))) == .invalid)
            guard count > 0 else { continue }
            #expect(Gunzip.decompress(member + Array(member.prefix(count))) == .invalid)
        }
    }

    @Test(arguments: [1, 100]) func bytesThatAreNotGzipAreRefused(size: Int) {
        #expect(Gunzip.decompress(text, by: size) == .invalid)
        #expect(Gunzip.decompress(member + text, by: size) == .invalid)
        #expect(Gunzip.offset == member.count)
    }

    /// Tools that fill blocks leave zeros behind.
    @Test(arguments: [1, 3, 100]) func onlyZerosMayFollow(size: Int) {
        let padded = member + member + [UInt8](repeating: 0, count: 50)
        #expect(Gunzip.decompress(padded, by: size) == .whole(text + text))
        for end in [member, [1]] {
            #expect(Gunzip.decompress(padded + end, by: size) == .invalid)
            #expect(Gunzip.offset == padded.count)
        }
        #expect(Gunzip.decompress([0] + member, by: size) == .invalid)
    }

    @Test func noChangedByteCrashesTheDecompression() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var broken = member + member
            broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if case .whole(let read) = Gunzip.decompress(broken, upTo: 1000) { #expect(read.count <= 1000) }
        }
    }
}
