import CFetch
package import PromoWire

/// A message of the fetching process. It answers a query with the head, if one came, the body in parts, and the end.
enum FetchMessage: Equatable, Sendable {
    case head(FetchedHead)
    /// A part of the body, after decompression.
    case body([UInt8])
    /// Why the answer is incomplete, nil if it is not, and the variable that named the proxy.
    case end(Failure?, proxyVariable: String?)

    /// The longest part, in bytes.
    static let maximumPart = Int(PROMOD_MAXIMUM_PART)
    /// The longest line, in bytes without its LF.
    static let maximumLine = 1 << 18
    /// The length to which a text from outside is cut, in bytes.
    static let maximumText = 1 << 14

    /// A line of JSON, which the bytes of a part follow.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .head(let head):
                writer.name("head")
                head.write(into: &writer)
            case .body(let part):
                writer.member("body", part.count)
            case .end(let failure, let variable):
                writer.member("end", failure)
                writer.member("proxyVariable", variable)
            }
        }
        let line = writer.bytes + [UInt8(ascii: "\n")]
        if case .body(let part) = self { return line + part }
        return line
    }
}

/// The answer to a query.
package struct FetchAnswer: Equatable, Sendable {
    package var head: FetchedHead?
    /// The body, if the status is 200.
    package var body: [UInt8]
    /// Why the answer is incomplete; nil if it is not, and then it has a head.
    package var failure: Failure?
    /// The variable that named the proxy; nil if there was none, or if the query named it.
    package var proxyVariable: String?

    /// An answer.
    package init(_ head: FetchedHead? = nil, body: [UInt8] = [], failure: Failure? = nil) {
        self.head = head
        self.body = body
        self.failure = failure
    }
}
