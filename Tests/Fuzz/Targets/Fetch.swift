@testable import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Whatever the fetching process says, it is the same in pieces, and what was read is read back.
    static let fetch = FuzzTarget(name: "fetch") { input in
        let whole = read(input, by: input.count)
        for size in [1, 5] {
            try require(read(input, by: size) == whole, "in pieces of \(size) it is something else")
        }
        if let answer = whole, answer.failure != nil || answer.head != nil {
            try require(read(answer.bytes, by: 1 << 20) == answer, "\(answer) is read back as another")
        }
        if let query = FetchQuery(line: input) {
            try require(FetchQuery(line: query.line.dropLast()) == query, "\(query) is read back as another")
        }
    }

    /// What has come of bytes that arrive in pieces of a size; nil if they are nonsense.
    private static func read(_ input: [UInt8], by size: Int) -> FetchAnswer? {
        var reader = FetchReader(maximumBytes: 1000)
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(size, 1))
            rest = rest.dropFirst(piece.count)
            guard (try? reader.read(piece)) != nil else { return nil }
        }
        return reader.answer
    }

    /// Any lines can be a response's head. Nothing that is passed on is longer than the limit, and a status has three digits.
    static let head = FuzzTarget(name: "head") { input in
        var reader = HeadReader(maximumBody: 1000)
        for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard let whole = try? reader.read(line + [UInt8(ascii: "\n")]) else { continue }
            let head = whole.head
            let location = head[.location]?.bytes ?? []
            try require(location.allSatisfy { $0 < 0x80 }, "an address is not ASCII")
            try require(!head.isCompressed || head.status == 200, "a body that is not used is decompressed")
            try require(100...999 ~= head.status, "\(head.status) is a status")
            for text in [head.phrase] + FetchedHead.Field.allCases.map({ head[$0] }) {
                // A byte that is no UTF-8 becomes three.
                try require((text?.bytes.count ?? 0) <= 3 * FetchAnswer.maximumText, "a text is too long")
            }
        }
    }
}
