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

    @Test func severalMembersAreOneBodyAndZerosMayFollow() {
        let padded = member + member + [UInt8](repeating: 0, count: 50)
        #expect(Gunzip.decompress(padded, upTo: 100) == .whole(text + text))
        #expect(Gunzip.decompress(padded, upTo: 14) == .whole(text + text))
        #expect(Gunzip.decompress(padded, upTo: 13) == .overLimit)
    }

    @Test func nothingElseIsGzip() {
        for bytes in [text, member + text, member + [1], member + [0, 1], [0] + member, []] {
            #expect(Gunzip.decompress(bytes, upTo: 100) == .invalid, "\(bytes)")
        }
    }

    @Test func aStreamThatIsCutAnywhereIsInvalid() {
        for end in (1..<2 * member.count) where end != member.count {
            #expect(Gunzip.decompress(Array((member + member).prefix(end)), upTo: 100) == .invalid, "\(end) bytes")
        }
    }
}
