@testable import PromoFetch
import PromoWire

extension FuzzTarget {
    /// Whatever the fetching process says, it is the same in pieces, and each message is read back.
    static let fetch = FuzzTarget(name: "fetch") { input in
        let whole = messages(input, by: input.count)
        for size in [1, 5] {
            let pieces = messages(input, by: size)
            try require(
                pieces.isNonsense == whole.isNonsense && pieces.body == whole.body && pieces.others == whole.others,
                "in pieces of \(size) it is something else")
        }
        for message in whole.others {
            try require(messages(message.bytes, by: 1 << 20).others == [message], "\(message) is read back as another")
        }
        if let query = FetchQuery(line: input) {
            try require(FetchQuery(line: query.line.dropLast()) == query, "\(query) is read back as another")
        }
    }

    private struct Said {
        var body: [UInt8] = []
        var others: [FetchMessage] = []
        var isNonsense = false
    }

    private static func messages(_ input: [UInt8], by size: Int) -> Said {
        var reader = FetchReader()
        var said = Said()
        var rest = input[...]
        do {
            while !rest.isEmpty {
                let piece = rest.prefix(max(size, 1))
                rest = rest.dropFirst(piece.count)
                try reader.read(piece) { message in
                    if case .body(let part) = message { said.body += part } else { said.others.append(message) }
                }
            }
        } catch {
            said.isNonsense = true
        }
        return said
    }

    /// Any lines can be a response's head. Nothing that is passed on is longer than the limit, and a status has three digits.
    static let head = FuzzTarget(name: "head") { input in
        var reader = HeadReader(maximumBody: 1000)
        for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard let whole = try? reader.read(line + [UInt8(ascii: "\n")]) else { continue }
            let head = whole.head
            try require(100...999 ~= head.status, "\(head.status) is a status")
            for text in [head.phrase, head.etag, head.lastModified, head.retryAfter, whole.location] {
                // A byte that is no UTF-8 becomes three.
                try require((text?.bytes.count ?? 0) <= 3 * FetchMessage.maximumText, "a text is too long")
            }
        }
    }
}
