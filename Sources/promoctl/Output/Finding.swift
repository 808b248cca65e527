import CrossPromoKit
import PromoSystem
import PromoWire

/// Something that is wrong, with what to do about it, as `status` and `doctor` show it.
struct Finding: JSONWritable {
    /// The code of a problem that promod reports; nil for what only a client sees.
    private(set) var code: Growing<ProblemCode>?
    private(set) var catalog: String?
    private let text: String
    /// What to do; empty if the text says it.
    private let advice: String
    private var since: Timestamp?

    /// What only a client sees.
    init(_ text: String, advice: String = "") {
        (self.text, self.advice) = (text, advice)
    }

    /// A problem that promod reports.
    /// - Parameter deferral: that the origin was not asked again, in a sentence; nil if it was.
    init(_ problem: Problem, deferral: String? = nil) {
        self.init(problem.text + (deferral.map { " \($0)" } ?? ""), advice: problem.advice)
        (code, catalog, since) = (problem.code, problem.catalog, problem.since)
    }

    /// What is wrong, behind the name of the catalog if it is about one.
    var head: String { (catalog.map { "\($0): " } ?? "") + text }

    /// The finding as one line.
    var line: String { advice.isEmpty ? head : "\(head) \(advice)" }

    /// The finding's lines, wrapped to the terminal's width; the advice stands below the text, indented.
    func lines(on terminal: Terminal, now: Timestamp) -> [String] {
        let age = since.flatMap { now - $0 >= .seconds(60) ? " Since \($0.shown(now: now))." : nil } ?? ""
        let style: Style = code?.isOfFetch == true ? .warning : .bad
        return (head + age).printable.wrapped(to: terminal.columns).map { style.applied(to: $0, on: terminal) }
            + (advice.isEmpty ? [] : advice.printable.indented(by: 2, in: terminal.columns))
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let code { writer.member("code", code) }
            if let catalog { writer.member("catalog", catalog) }
            writer.member("text", text)
            writer.member("advice", advice)
        }
    }
}
