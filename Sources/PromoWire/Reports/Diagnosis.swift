/// The result of checking one thing that promod depends on.
package struct Diagnosis: Equatable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable {
        case good
        /// It works, but not as the user may expect.
        case warning
        case bad
    }

    /// What was checked, in a word or two.
    package var subject: String
    package var verdict: Verdict
    /// What was found and, unless the verdict is good, what to do.
    package var text: String

    /// Creates a diagnosis from its parts.
    package init(_ subject: String, _ verdict: Verdict, _ text: String) {
        self.subject = subject
        self.verdict = verdict
        self.text = text
    }

    /// That no catalog is configured, and how to begin.
    package static let unconfigured = Diagnosis("Origin", .warning, Unconfigured.text)

    /// The same, with the name of the catalog in its subject.
    package func about(_ catalog: String) -> Diagnosis {
        Diagnosis("\(subject) of \(catalog)", verdict, text)
    }
}

extension [Diagnosis]: MethodResult {
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
