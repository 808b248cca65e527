import PromoWire

/// Reads what the fetching process says, and trusts none of it: whatever the network sent was parsed there.
package struct FetchReader: Sendable {
    /// The bytes are not a valid message.
    package struct Nonsense: Error {}

    private var line: [UInt8] = []
    /// How many bytes of the current part are missing.
    private var missing = 0

    /// A reader at the beginning.
    package init() {}

    /// Reads the next bytes, and calls the closure for each message; a part of the body may come in several.
    package mutating func read(
        _ bytes: ArraySlice<UInt8>, _ body: (FetchMessage) throws -> Void
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            if missing > 0 {
                let part = rest.prefix(missing)
                missing -= part.count
                rest = rest.dropFirst(part.count)
                try body(.body(Array(part)))
                continue
            }
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            line += rest[..<(end ?? rest.endIndex)]
            guard line.count <= FetchMessage.maximumLine else { throw Nonsense() }
            guard let end else { return }
            rest = rest[(end + 1)...]
            let whole = line
            line = []
            if let message = try message(whole) { try body(message) }
        }
    }

    /// The message of a line; nil if the bytes of a part follow.
    private mutating func message(_ line: [UInt8]) throws(Nonsense) -> FetchMessage? {
        guard let root = try? JSONDocument(line, maximumDepth: 6).root else { throw Nonsense() }
        if let count = root["body"]?.integer {
            guard 0...FetchMessage.maximumPart ~= count else { throw Nonsense() }
            missing = count
            return nil
        }
        if let head = root["head"].flatMap(FetchedHead.init) { return .head(head) }
        if let end = root["end"].flatMap(FetchMessage.End.init) { return .end(end) }
        throw Nonsense()
    }
}
