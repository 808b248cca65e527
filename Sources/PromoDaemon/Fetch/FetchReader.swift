import PromoWire

/// Reads the answer to a query, and trusts nothing in it: the process that sends it has parsed what the network sent.
package struct FetchReader: Sendable {
    /// The bytes are not a valid message, or one out of order.
    package struct Nonsense: Error {}

    /// What has come so far.
    package private(set) var answer = FetchAnswer()
    /// Whether the answer has ended.
    package private(set) var isWhole = false

    private let maximumBytes: Int
    private var line: [UInt8] = []
    /// The bytes of the current part that are missing.
    private var missing = 0

    /// A reader of the answer to a query with this limit.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Reads the next bytes.
    package mutating func read(_ bytes: ArraySlice<UInt8>) throws(Nonsense) {
        var rest = bytes
        while !rest.isEmpty {
            guard !isWhole else { throw Nonsense() }
            if missing > 0 {
                let part = rest.prefix(missing)
                missing -= part.count
                rest = rest.dropFirst(part.count)
                answer.body += part
                continue
            }
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            line += rest[..<(end ?? rest.endIndex)]
            guard line.count <= FetchMessage.maximumLine else { throw Nonsense() }
            guard let end else { return }
            rest = rest[(end + 1)...]
            try readLine()
            line = []
        }
    }

    private mutating func readLine() throws(Nonsense) {
        guard let root = try? JSONDocument(line, maximumDepth: 3).root else { throw Nonsense() }
        if let count = root["body"]?.integer {
            guard answer.head != nil, 0...FetchMessage.maximumPart ~= count,
                answer.body.count + count <= maximumBytes
            else { throw Nonsense() }
            missing = count
        } else if let head = root["head"] {
            guard answer.head == nil, let head = FetchedHead(head) else { throw Nonsense() }
            answer.head = head
        } else {
            // A malformed failure must not count as success.
            do throws(MalformedResult) { answer.failure = try root.read("end", as: Failure?.self) } catch {
                throw Nonsense()
            }
            guard root["end"] != nil, answer.failure != nil || answer.head != nil else { throw Nonsense() }
            answer.proxyVariable = root["proxyVariable"]?.ascii(upTo: 16)
            isWhole = true
        }
    }
}
