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
}
