import Foundation
import FuzzTargets
import PromoTestSupport
import Testing

/// The corpora of the fuzzers hold what the code has to withstand, every input that once broke it included.
struct ReplayTests {
    private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Corpora")

    private func inputs(of name: String) throws -> [[UInt8]] {
        let directory = Self.corpora.appendingPathComponent(name)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().map { file in
            Array(try Data(contentsOf: directory.appendingPathComponent(file)))
        }
    }

    @Test func eachCorpusBelongsToATarget() throws {
        let directories = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
        #expect(directories.sorted() == FuzzTarget.all.map(\.name).sorted())
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func everythingHoldsForTheCorpusAndForDamagedCopiesOfIt(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs = try inputs(of: name)
        #expect(!inputs.isEmpty)
        var generator = SeededGenerator(seed: 14)
        for input in inputs {
            try target.check(input)
            for _ in 0..<20 { try target.check(damaged(input, using: &generator)) }
        }
    }

    /// The input with a few bytes changed, removed or repeated.
    private func damaged(_ input: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 8))
            }
        }
        return bytes
    }
}
