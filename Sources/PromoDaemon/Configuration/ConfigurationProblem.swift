import PromoWire

/// Something wrong in a configuration: where, which key, and what it takes.
package struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The longest message and the longest place, in Unicode scalars.
    static let maximumLength = 240

    /// `/path/config.toml:3`, a variable, or an option; of a long path the end.
    package let place: String
    /// What is wrong there, with the key's name; of a long message the beginning.
    package let message: String

    /// A problem, made printable and not longer than a few lines.
    init(place: String, message: String) {
        // Made short first: what is printable can be no longer.
        self.place = place.endShortened(to: Self.maximumLength).printable
        let beginning = message.shortened(to: Self.maximumLength)
        let isCut = beginning.utf8.count < message.utf8.count
        self.message = beginning.printable + (isCut ? "…" : "")
    }

    package var description: String { "\(place): \(message)" }
}

extension String {
    /// The end of a path, for a message, with an ellipsis if it was cut.
    func endShortened(to scalars: Int) -> String {
        let end = String(unicodeScalars.suffix(scalars))
        return end.utf8.count < utf8.count ? "…" + end : end
    }
}

/// Everything wrong in a configuration, at least one problem, and at most a screen of them.
package struct BadConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// How many problems are told.
    static let maximumProblems = 10

    /// The first ones, in the order of the layers, the system's files first.
    package let problems: [ConfigurationProblem]
    /// How many more there are.
    package let others: Int

    /// What was found.
    init(problems: [ConfigurationProblem], others: Int = 0) {
        self.problems = problems
        self.others = others
    }

    /// Each problem, and how many more there are.
    package var lines: [String] {
        let rest = others == 0 ? [] : ["… and \(others) more problem\(others == 1 ? "" : "s")"]
        return problems.map(\.description) + rest
    }

    package var description: String { lines.joined(separator: "; ") }
}
