package import PromoWire

/// What the fetching process is asked for: a GET request and its redirects, as a line of JSON.
package struct FetchQuery: Equatable, Sendable {
    /// The longest line, in bytes without its LF: an address, validators and two pairs of credentials, with their escapes.
    package static let maximumLine = 1 << 17

    /// The address, without user and password.
    package var url = ""
    /// The header's lines.
    package var headers: [String] = []
    /// The user and the password for the address's own host; nil if there are none.
    package var credentials: String?
    /// The proxy's address; empty for none, nil if the environment decides.
    package var proxy: String?
    /// The largest body after decompression, in bytes.
    package var maximumBytes = 0
    /// The time limits until the answer begins, and for each time in which nothing comes, in milliseconds.
    package var patience = 0
    /// The time limit for everything, in milliseconds.
    package var milliseconds = 0

    /// The query as a line, with its LF.
    package var line: [UInt8] {
        var (query, writer) = (self, JSONWriter())
        writer.object { MemberVisitor.writeMembers(to: &$0) { query.visitMembers(&$0) } }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// A query without an address.
    package init() {}

    /// Reads what ``line`` wrote, without its LF; nil for anything else.
    package init?(line: [UInt8]) {
        guard let json = try? JSONDocument(line, maximumDepth: 2).root,
            (try? MemberVisitor.read(json) { visitMembers(&$0) }) != nil
        else { return nil }
    }

    private mutating func visitMembers(_ member: inout MemberVisitor) {
        member("url", &url)
        member("headers", &headers)
        member("credentials", &credentials)
        member("proxy", &proxy)
        member("maximumBytes", &maximumBytes)
        member("patience", &patience)
        member("milliseconds", &milliseconds)
    }
}

/// The answer to a query: a line of JSON, which the body follows.
package struct FetchAnswer: Equatable, Sendable {
    /// The longest line, in bytes without its LF.
    static let maximumLine = 1 << 20
    /// The length to which a text from outside is cut, in bytes.
    static let maximumText = 1 << 14

    /// libcurl's code, or one of promod's.
    package var code = 0
    /// libcurl's words about it.
    package var text: OutsideText = ""
    /// errno of the last system call that failed to connect; 0 if none did.
    package var systemError = 0
    /// OpenSSL's verdict on the certificate, such as 10 for one that has expired; 0 if there is none.
    package var verdict = 0
    /// The status of the proxy's answer; 0 if there was none.
    package var proxyStatus = 0
    /// The variable that named the proxy; empty if none did.
    package var proxyVariable: OutsideText = ""
    /// The address of the last request.
    package var address: OutsideText = ""
    /// Whether there were redirects, all of them permanent.
    package var isMoved = false
    /// The status of the last head, whose fields follow; 0 if none came.
    package var status = 0
    /// The words after the status.
    package var phrase: OutsideText = ""
    package var etag, lastModified, encoding: OutsideText?
    /// How long a cache has had the response (RFC 9111 §5.1), and the delay for which the origin asks (RFC 9110 §10.2.3), in seconds.
    package var (age, retryAfter): (Int, Int?) = (0, nil)
    /// The body of a 200, decompressed.
    package var body: [UInt8] = []

    /// An answer of nothing.
    package init() {}

    /// What the fetching process sends.
    package var bytes: [UInt8] {
        var (answer, count, writer) = (self, body.count, JSONWriter())
        writer.object { MemberVisitor.writeMembers(to: &$0) { answer.visitMembers(&$0, count: &count) } }
        return writer.bytes + [UInt8(ascii: "\n")] + body
    }

    /// Reads the line of ``bytes``, without its LF.
    /// - Returns: the length of the body.
    fileprivate mutating func read(_ line: [UInt8]) -> Int? {
        var count = 0
        guard let json = try? JSONDocument(line, maximumDepth: 2).root,
            (try? MemberVisitor.read(json) { visitMembers(&$0, count: &count) }) != nil
        else { return nil }
        return count
    }

    private mutating func visitMembers(_ member: inout MemberVisitor, count: inout Int) {
        member("code", &code)
        member("text", &text)
        member("systemError", &systemError)
        member("verdict", &verdict)
        member("proxyStatus", &proxyStatus)
        member("proxyVariable", &proxyVariable)
        member("address", &address)
        member("isMoved", &isMoved)
        member("status", &status)
        member("phrase", &phrase)
        member("etag", &etag)
        member("lastModified", &lastModified)
        member("age", &age)
        member("retryAfter", &retryAfter)
        member("encoding", &encoding)
        member("body", &count)
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
            guard let count = answer.read(line), 0...maximumBytes ~= count else { throw Nonsense() }
            missing = count
            rest = rest[(end + 1)...]
        }
        let left = (missing ?? 0) - rest.count
        guard left >= 0 else { throw Nonsense() }
        answer.body += rest
        missing = left
    }
}
