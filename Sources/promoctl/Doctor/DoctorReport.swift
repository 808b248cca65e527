import CrossPromoKit
import PromoWire

/// Diagnoses for people: the verdict, the subject and the text of each on a line, wrapped if need be.
struct DoctorReport {
    private let checks: [Diagnosis]

    init(_ checks: [Diagnosis]) {
        self.checks = checks
    }

    /// The narrowest column of text that is still easy to read.
    private static let narrowest = 40

    /// The report's lines, wrapped to the terminal's width.
    func lines(on terminal: Terminal) -> [String] {
        let width = checks.map(\.subject.count).max() ?? 0
        let words = Diagnosis.Verdict.allCases.map(\.rawValue.count).max() ?? 0
        let indent = words + width + 4
        let room = terminal.columns.map { $0 - indent }
        return checks.flatMap { check in
            guard room ?? .max >= Self.narrowest else { return narrow(check, on: terminal) }
            let texts = check.text.printable.wrapped(to: room)
            return texts.enumerated().map { index, text in
                guard index == 0 else { return String(repeating: " ", count: indent) + text }
                let verdict = check.verdict.style.applied(
                    to: Self.padded(check.verdict.rawValue, to: words), on: terminal)
                return "\(verdict)  \(Self.padded(check.subject, to: width))  \(text)"
            }
        }
    }

    /// A line without columns.
    private func narrow(_ check: Diagnosis, on terminal: Terminal) -> [String] {
        let verdict = check.verdict.rawValue
        let lines = "\(verdict): \(check.subject): \(check.text)".printable.hanging(in: terminal.columns ?? 80)
        let rest = lines.first?.dropFirst(verdict.count) ?? ""
        return [check.verdict.style.applied(to: verdict, on: terminal) + rest] + lines.dropFirst()
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

extension Diagnosis.Verdict {
    fileprivate var style: Style {
        switch self {
        case .good: .good
        case .warning: .warning
        case .bad: .bad
        }
    }
}
