/// What was found of something that promod depends on.
package struct Diagnosis: Equatable, Sendable {
    /// How it is.
    package enum Verdict: String, CaseIterable, Sendable {
        case good
        /// It works, and something about it may surprise.
        case warning
        case bad
    }

    /// What was looked at, a word or two.
    package var subject: String
    package var verdict: Verdict
    /// How it is, and what to do unless it is good.
    package var text: String

    /// A diagnosis with its parts.
    package init(_ subject: String, _ verdict: Verdict, _ text: String) {
        self.subject = subject
        self.verdict = verdict
        self.text = text
    }
}

extension [Diagnosis] {
    /// Writes `{"checks":[…]}`.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("checks")
            writer.array { writer in
                for diagnosis in self {
                    writer.object { writer in
                        writer.member("subject", diagnosis.subject)
                        writer.member("verdict", diagnosis.verdict.rawValue)
                        writer.member("text", diagnosis.text)
                    }
                }
            }
        }
    }

    /// Reads what ``write(to:)`` wrote.
    package init(_ json: JSONValue) throws(MalformedResult) {
        guard let array = json["checks"], array.kind == .array else { throw MalformedResult(member: "checks") }
        self = []
        for element in array.elements {
            append(Diagnosis(try element.string("subject"), try element.word("verdict"), try element.string("text")))
        }
    }
}
