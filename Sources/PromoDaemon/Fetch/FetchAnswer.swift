package import PromoWire

/// The answer to a query: a line of JSON, which the body follows.
package struct FetchAnswer: Equatable, Sendable {
    /// The longest line, in bytes without its LF.
    static let maximumLine = 1 << 18
    /// The length to which a text from outside is cut, in bytes.
    static let maximumText = 1 << 14

    package var head: FetchedHead?
    /// The body after decompression, if the status is 200.
    package var body: [UInt8]
    /// Why the answer is incomplete; nil if it is not, and then it has a head.
    package var failure: Failure?

    /// An answer.
    package init(_ head: FetchedHead? = nil, body: [UInt8] = [], failure: Failure? = nil) {
        self.head = head
        self.body = body
        self.failure = failure
    }

    /// What the fetching process sends.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let head {
                writer.name("head")
                head.write(into: &writer)
            }
            writer.member("failure", failure)
            writer.member("body", body.count)
        }
        return writer.bytes + [UInt8(ascii: "\n")] + body
    }
}

/// Reads the answer to a query, and trusts nothing in it: the process that sends it has parsed what the network sent.
package struct FetchReader: Sendable {
    /// The bytes are not a valid answer.
    package struct Nonsense: Error {}

    /// What has come so far.
    package private(set) var answer = FetchAnswer()

    private let maximumBytes: Int
    private var line: [UInt8] = []
    /// The bytes of the body that are missing; nil before the end of the line.
    private var missing: Int?

    /// A reader of the answer to a query with this limit.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Whether the answer has ended.
    package var isWhole: Bool { missing == 0 }

    /// Reads the next bytes.
    package mutating func read(_ bytes: ArraySlice<UInt8>) throws(Nonsense) {
        var rest = bytes
        if missing == nil {
            line += rest.prefix { $0 != UInt8(ascii: "\n") }
            guard line.count <= FetchAnswer.maximumLine else { throw Nonsense() }
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return }
            missing = try readLine()
            rest = rest[(end + 1)...]
        }
        let left = (missing ?? 0) - rest.count
        guard left >= 0 else { throw Nonsense() }
        answer.body += rest
        missing = left
    }

    /// - Returns: the length of the body.
    private mutating func readLine() throws(Nonsense) -> Int {
        guard let root = try? JSONDocument(line, maximumDepth: 3).root, let count = root["body"]?.integer,
            0...maximumBytes ~= count
        else { throw Nonsense() }
        answer.head = root["head"].flatMap(FetchedHead.init)
        // A malformed failure must not count as success.
        do throws(MalformedResult) { answer.failure = try root.read("failure", as: Failure?.self) } catch {
            throw Nonsense()
        }
        guard answer.failure != nil || answer.head != nil else { throw Nonsense() }
        return count
    }
}
