import PromoWire

/// Reads the lines of a response's head, and decides what becomes of the body.
struct HeadReader {
    /// What follows the head.
    enum Body: Equatable {
        /// Nothing that is needed.
        case unneeded
        /// A catalog or an icon, perhaps compressed. If it is not ``isFramed``, it ends with the connection.
        case needed(isCompressed: Bool, isFramed: Bool)
    }

    /// The largest head with its trailers, and with the heads of informational responses before it, in bytes.
    static let maximumBytes = 1 << 16

    private let maximumBody: Int
    private var count = 0
    private var head: FetchedHead?
    private var lengths: [OutsideText] = []
    private var encodings: [OutsideText] = []
    private var location: OutsideText?
    private var codings: [OutsideText] = []
    private var isComplete = false

    /// A reader of one response.
    /// - Parameter maximumBody: the largest body that is needed, in bytes.
    init(maximumBody: Int) {
        self.maximumBody = maximumBody
    }

    /// Reads a line with its line break.
    /// - Returns: the head and what follows, after its last line; nil before that, and for trailers.
    mutating func read(_ line: [UInt8]) throws(FetchProblem) -> (head: FetchedHead, location: OutsideText?, body: Body)?
    {
        count += line.count
        guard count <= Self.maximumBytes else { throw FetchProblem(.headTooLarge) }
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw FetchProblem(.notHTTP)
        }
        guard !isComplete else { return nil }
        if text.starts(with: "HTTP/".utf8) {
            try begin(text)
        } else if text.isEmpty {
            return try end()
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, !Self.isBlank(first) {
            read(text[..<colon], Self.trimmed(text[(colon + 1)...]))
        } else {
            // A folded line among them, which would change the field before it.
            throw FetchProblem(.notHTTP)
        }
        return nil
    }

    private mutating func begin(_ line: ArraySlice<UInt8>) throws(FetchProblem) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), 100...999 ~= status
        else { throw FetchProblem(.notHTTP) }
        head = FetchedHead(status: status, phrase: words.count > 2 ? Self.valid(words[2]) : "")
        (lengths, encodings, codings, location) = ([], [], [], nil)
    }

    private mutating func read(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        switch OutsideText(name).ascii(upTo: 32)?.lowercased() {
        case "etag": if head?.etag == nil { head?.etag = Self.valid(value) }
        case "last-modified": if head?.lastModified == nil { head?.lastModified = Self.valid(value) }
        case "retry-after": if head?.retryAfter == nil { head?.retryAfter = Self.valid(value) }
        case "date": if head?.date == nil { head?.date = Self.valid(value) }
        case "age": if head?.age == nil { head?.age = Self.seconds(value) }
        case "location": if location == nil { location = OutsideText(value.prefix(FetchMessage.maximumText)) }
        case "content-length": lengths.append(Self.valid(value))
        case "content-encoding": encodings.append(Self.valid(value))
        case "transfer-encoding": codings.append(Self.valid(value))
        default: break
        }
    }

    private mutating func end() throws(FetchProblem) -> (FetchedHead, OutsideText?, Body)? {
        guard let head else { throw FetchProblem(.notHTTP) }
        // 101 is the last one, since nothing was offered to switch to.
        guard head.status >= 200 || head.status == 101 else { return nil }
        isComplete = true
        guard head.status == 200 else { return (head, location, .unneeded) }
        // A proxy on the way may have taken another one of them, and then the rest belongs to another response.
        guard Set(lengths).count <= 1, lengths.isEmpty || codings.isEmpty else { throw FetchProblem(.notHTTP) }
        if let length = lengths.first {
            guard length.bytes.allSatisfy(\.isDigit), let number = length.ascii(upTo: 32).flatMap(Int.init) else {
                throw FetchProblem(.notHTTP)
            }
            guard number <= maximumBody else { throw FetchProblem(.tooLarge) }
        }
        let isChunked = codings.map { $0.ascii(upTo: 64)?.lowercased() } == ["chunked"]
        guard isChunked || codings.isEmpty else { throw FetchProblem(.notHTTP) }
        let encoding = OutsideText(Array(encodings.map(\.bytes).joined(separator: ", ".utf8)))
        let isFramed = isChunked || !lengths.isEmpty
        switch encoding.ascii(upTo: 64)?.lowercased() {
        case "", "identity": return (head, nil, .needed(isCompressed: false, isFramed: isFramed))
        case "gzip", "x-gzip", "deflate": return (head, nil, .needed(isCompressed: true, isFramed: isFramed))
        default: throw FetchProblem(.encoding, text: Self.valid(encoding.bytes[...]))
        }
    }

    /// The bytes as UTF-8, in which those that are none have become U+FFFD, as JSON holds no others.
    private static func valid(_ bytes: ArraySlice<UInt8>) -> OutsideText {
        OutsideText(String(decoding: bytes.prefix(FetchMessage.maximumText), as: UTF8.self))
    }

    /// A number of seconds, of which too large ones count as the largest that is passed on (RFC 9111 §1.2.2); nil for anything else.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int? {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return nil }
        return min(OutsideText(value).ascii(upTo: 18).flatMap(Int.init) ?? .max, 1 << 31)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }
}
