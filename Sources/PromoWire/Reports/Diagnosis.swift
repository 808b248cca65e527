/// The result of checking one thing that promod depends on.
package struct Diagnosis: JSONObject, Equatable {
    package enum Verdict: String, Word {
        case good
        /// It works, but not as the user may expect.
        case warning
        case bad
    }

    package var subject = ""
    package var verdict = Verdict.good
    package var text = ""

    package static let title = "Check"
    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("subject", &subject, "what was checked, in a word or two")
        member("verdict", &verdict, "whether it works")
        member("text", &text, "what was found, and what to do")
    }

    init() {}

    /// Creates a diagnosis from its parts. Unless the verdict is good, the text says what to do.
    package init(_ subject: String, _ verdict: Verdict, _ text: String) {
        (self.subject, self.verdict, self.text) = (subject, verdict, text)
    }

    /// The diagnosis that no catalog is configured.
    package static let unconfigured = Diagnosis("Origin", .warning, Unconfigured.text)

    /// The diagnosis with the name of the catalog in its subject.
    package func about(_ catalog: String) -> Diagnosis {
        Diagnosis("\(subject) of \(catalog)", verdict, text)
    }
}

/// The result of `diagnose`, which `promod diagnose --json` prints too.
package struct DiagnoseResult: JSONObject, Equatable {
    package var checks: [Diagnosis] = []

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("checks", &checks, "what was checked")
    }

    init() {}

    /// Creates the result of some checks.
    package init(_ checks: [Diagnosis]) { self.checks = checks }
}
