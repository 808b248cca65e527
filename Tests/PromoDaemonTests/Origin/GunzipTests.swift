@testable import PromoDaemon
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

    @Test func aMemberIsDecompressed() throws {
        #expect(try Gunzip.decompress(member, maximumBytes: 7) == text)
    }

    @Test func severalMembersAreOneText() throws {
        #expect(try Gunzip.decompress(member + member + member, maximumBytes: 100) == text + text + text)
    }

    @Test func moreThanTheLimitIsRefused() {
        #expect(throws: Gunzip.Failure.tooLarge) { try Gunzip.decompress(member, maximumBytes: 6) }
        #expect(throws: Gunzip.Failure.tooLarge) { try Gunzip.decompress(member + member, maximumBytes: 13) }
    }

    @Test func whatEndsTooEarlyIsRefused() {
        for count in 0..<member.count {
            #expect(throws: Gunzip.Failure.invalid) {
                try Gunzip.decompress(Array(member.prefix(count)), maximumBytes: 100)
            }
            guard count > 0 else { continue }
            #expect(throws: Gunzip.Failure.invalid) {
                try Gunzip.decompress(member + Array(member.prefix(count)), maximumBytes: 100)
            }
        }
    }

    @Test func whatIsNotGzipIsRefused() {
        #expect(throws: Gunzip.Failure.invalid) { try Gunzip.decompress(text, maximumBytes: 100) }
        #expect(throws: Gunzip.Failure.invalid) { try Gunzip.decompress(member + text, maximumBytes: 100) }
    }

    @Test func noChangedByteTraps() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var broken = member + member
            broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if let read = try? Gunzip.decompress(broken, maximumBytes: 1000) { #expect(read.count <= 1000) }
        }
    }
}
