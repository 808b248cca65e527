@testable import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Whatever the fetching process says, it is the same in pieces, and what was read is read back.
    static let fetch = FuzzTarget(name: "fetch") { input in
        let whole = read(input, by: input.count)
        for size in [1, 5] {
            try require(read(input, by: size)?.answer == whole?.answer, "in pieces of \(size) it is something else")
        }
        if let reader = whole, reader.isWhole {
            try require(
                read(reader.answer.bytes, by: 1 << 20)?.answer == reader.answer,
                "\(reader.answer) is read back as another")
        }
        if let query = FetchQuery(line: input) {
            try require(FetchQuery(line: query.line.dropLast()) == query, "\(query) is read back as another")
        }
    }

    /// What has come of bytes that arrive in pieces of a size; nil if they are nonsense.
    private static func read(_ input: [UInt8], by size: Int) -> FetchReader? {
        var reader = FetchReader(maximumBytes: 1000)
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(size, 1))
            rest = rest.dropFirst(piece.count)
            guard (try? reader.read(piece)) != nil else { return nil }
        }
        return reader
    }
}
