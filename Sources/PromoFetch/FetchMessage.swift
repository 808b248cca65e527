import PromoWire

/// What the fetching process says: for each query the head, if one came, the body in parts, and the end.
package enum FetchMessage: Equatable, Sendable {
    /// How an answer ended.
    package struct End: Equatable, Sendable {
        /// Why it is not whole; nil if it is.
        package var problem: FetchProblem?
        /// The variable whose proxy was used; nil for none, or if the query named one.
        package var proxyVariable: String?

        /// An end.
        package init(problem: FetchProblem? = nil, proxyVariable: String? = nil) {
            self.problem = problem
            self.proxyVariable = proxyVariable
        }
    }

    case head(FetchedHead)
    /// A part of the body, after decompression.
    case body([UInt8])
    case end(End)

    /// The most bytes of a part.
    package static let maximumPart = 1 << 16
    /// The longest line, in bytes without its LF; texts in it are at most ``maximumText`` bytes.
    package static let maximumLine = 1 << 18
    /// What is passed on of a text that came from outside, in bytes.
    package static let maximumText = 1 << 14

    /// The message: a line of JSON, and after that of a part its bytes.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .head(let head):
                writer.name("head")
                head.write(into: &writer)
            case .body(let part):
                writer.member("body", part.count)
            case .end(let end):
                writer.name("end")
                end.write(into: &writer)
            }
        }
        let line = writer.bytes + [UInt8(ascii: "\n")]
        if case .body(let part) = self { return line + part }
        return line
    }
}

extension FetchMessage.End {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.object { writer in
            if let problem {
                writer.name("problem")
                problem.write(into: &writer)
            }
            writer.member("proxyVariable", proxyVariable)
        }
    }

    /// Reads what ``write(into:)`` wrote; nil for anything else.
    init?(_ value: JSONValue) {
        let problem = value["problem"].map(FetchProblem.init)
        // An unknown kind of problem must not count as success.
        if let problem, problem == nil { return nil }
        self.init(problem: problem ?? nil, proxyVariable: value["proxyVariable"]?.ascii(upTo: 16))
    }
}
