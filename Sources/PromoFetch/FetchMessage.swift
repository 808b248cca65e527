import CFetch
package import PromoWire

/// What the fetching process says: for each query the head, if one came, the body in parts, and the end.
enum FetchMessage: Equatable, Sendable {
    case head(FetchedHead)
    /// A part of the body, after decompression.
    case body([UInt8])
    /// Why the answer is not whole, nil if it is, and the variable whose proxy was used.
    case end(Failure?, proxyVariable: String?)

    /// The most bytes of a part.
    static let maximumPart = Int(PROMOD_MAXIMUM_PART)
    /// The longest line, in bytes without its LF; texts in it are at most ``maximumText`` bytes.
    static let maximumLine = 1 << 18
    /// What is passed on of a text that came from outside, in bytes.
    static let maximumText = 1 << 14

    /// The message: a line of JSON, and after that of a part its bytes.
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

/// What came of a query.
package struct FetchAnswer: Equatable, Sendable {
    package var head: FetchedHead?
    /// The body, if the status is 200.
    package var body: [UInt8]
    /// Why the answer is not whole; nil if it is, and then it has a head.
    package var failure: Failure?
    /// The variable whose proxy was used; nil for none, or if the query named one.
    package var proxyVariable: String?

    /// An answer.
    package init(_ head: FetchedHead? = nil, body: [UInt8] = [], failure: Failure? = nil) {
        self.head = head
        self.body = body
        self.failure = failure
    }
}
