import PromoTestSupport
import PromoWire
import Testing

/// The framer compared with a model that is simple enough to be obviously right.
struct LineFramerModelTests {
    private static let limit = 12

    /// The events of a whole stream: its lines up to the first that is too long.
    private static func model(_ stream: [UInt8]) -> [LineFramer.Event] {
        var lines = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let fitting = lines.prefix { $0.count <= limit }
        return fitting.map(LineFramer.Event.line) + (fitting.count < lines.count ? [.tooLong] : [])
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func randomStreamsInRandomPiecesGiveTheLinesOfTheModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<32 {
            let stream: [UInt8] = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                Int.random(in: 0..<8, using: &generator) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &generator)
            }
            var chunks: [ArraySlice<UInt8>] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let size = Int.random(in: 0...20, using: &generator)
                chunks.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(LineFramer.events(of: chunks, maximumLength: Self.limit) == Self.model(stream))
        }
    }
}
