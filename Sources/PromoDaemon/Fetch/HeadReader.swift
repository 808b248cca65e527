import PromoWire

/// Reads the lines of a response's head, and decides what happens to the body.
struct HeadReader {
    /// What follows the head.
    enum Body: Equatable {
        /// Nothing, or a body that is not used.
        case unneeded
        /// A catalog or an icon; if it is not framed, it ends with the connection.
        case needed(isFramed: Bool)
    }

    /// The largest head with its trailers, and with the heads of informational responses before it, in bytes.
    static let maximumBytes = 1 << 16

    private let maximumBody: Int
    private var count = 0
    private var head: FetchedHead?
    private var lengths: [OutsideText] = []
    private var encodings: [OutsideText] = []
    private var codings: [OutsideText] = []
    private var isComplete = false

    /// A reader of one response.
    /// - Parameter maximumBody: the largest body that is needed, in bytes.
    init(maximumBody: Int) {
        self.maximumBody = maximumBody
    }

    /// Reads a line with its line break.
    /// - Returns: after the last line of the head, the head and what follows; nil for all other lines, trailers included.
    mutating func read(_ line: [UInt8]) throws(FetchProblem) -> (head: FetchedHead, body: Body)? {
        count += line.count
        guard count <= Self.maximumBytes else { throw FetchProblem(kind: .headTooLarge) }
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw FetchProblem(kind: .notHTTP)
        }
        guard !isComplete else { return nil }
        guard let head else {
            try begin(text)
            return nil
        }
        if text.isEmpty {
            return try end(head)
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, !Self.isBlank(first) {
            read(text[..<colon], Self.trimmed(text[(colon + 1)...]))
        } else {
            // A folded line is among these; it would change the field before it.
            throw FetchProblem(kind: .notHTTP)
        }
        return nil
    }

    private mutating func begin(_ line: ArraySlice<UInt8>) throws(FetchProblem) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), 100...999 ~= status
        else { throw FetchProblem(kind: .notHTTP) }
        head = FetchedHead(status: status, phrase: words.count > 2 ? Self.valid(words[2]) : "")
        (lengths, encodings, codings) = ([], [], [])
    }

    private mutating func read(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        let name = OutsideText(name).ascii(upTo: 32)?.lowercased() ?? ""
        if let field = FetchedHead.Field(rawValue: name), head?[field] == nil {
            // An address in ASCII: as in browsers, bytes of any kind become escapes.
            head?[field] =
                field == .location
                ? OutsideText(value.prefix(FetchAnswer.maximumText).escaped([])) : Self.valid(value)
        }
        switch name {
        case "content-length": lengths.append(Self.valid(value))
        case "content-encoding": encodings.append(Self.valid(value))
        case "transfer-encoding": codings.append(Self.valid(value))
        default: break
        }
    }

    private mutating func end(_ ended: FetchedHead) throws(FetchProblem) -> (FetchedHead, Body)? {
        var head = ended
        // 101 is the last one, since nothing was offered to switch to.
        guard head.status >= 200 || head.status == 101 else {
            self.head = nil
            return nil
        }
        isComplete = true
        guard head.status == 200 else { return (head, .unneeded) }
        // An intermediary may have chosen another of them, and then the rest belongs to another response.
        guard Set(lengths).count <= 1, lengths.isEmpty || codings.isEmpty else { throw FetchProblem(kind: .notHTTP) }
        if let length = lengths.first {
            guard length.bytes.allSatisfy(\.isDigit), let number = length.ascii(upTo: 32).flatMap(Int.init) else {
                throw FetchProblem(kind: .notHTTP)
            }
            guard number <= maximumBody else { throw FetchProblem(kind: .tooLarge) }
        }
        let isChunked = codings.map { $0.ascii(upTo: 64)?.lowercased() } == ["chunked"]
        guard isChunked || codings.isEmpty else { throw FetchProblem(kind: .notHTTP) }
        try read(OutsideText(encodings.map(\.bytes).joined(separator: ", ".utf8)), into: &head)
        return (head, .needed(isFramed: isChunked || !lengths.isEmpty))
    }

    private func read(_ encoding: OutsideText, into head: inout FetchedHead) throws(FetchProblem) {
        let label = Self.valid(encoding.bytes[...])
        let names = encoding.bytes.split(separator: UInt8(ascii: ",")).map { name in
            OutsideText(Self.trimmed(name)).ascii(upTo: 32)?.lowercased() ?? "?"
        }
        let undone = names.filter(["gzip", "x-gzip", "deflate"].contains)
        guard undone.count < 2, !names.contains(where: Self.unread.contains) else {
            throw FetchProblem(kind: .encoding, text: label)
        }
        head.isCompressed = !undone.isEmpty
        // Some servers send labels that are not encodings, so the body decides.
        let isKnown = names.allSatisfy { undone.contains($0) || $0.isEmpty || $0 == "identity" }
        head[.unknownEncoding] = isKnown ? nil : label
    }

    /// Encodings that exist, but that promod cannot undo.
    private static let unread: Set = ["br", "zstd", "compress", "x-compress", "dcb", "dcz"]

    /// The bytes as valid UTF-8, which JSON needs, with U+FFFD in place of others.
    private static func valid(_ bytes: ArraySlice<UInt8>) -> OutsideText {
        OutsideText(String(decoding: bytes.prefix(FetchAnswer.maximumText), as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }
}
