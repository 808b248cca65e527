import PromoWire

/// A problem in the configuration: its place, and what is wrong there.
package struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The longest message and the longest place, in Unicode scalars.
    static let maximumLength = 240

    /// `/path/config.toml:3`, a variable, or the command line; only the end of a long path.
    package let place: String
    /// What is wrong, with the key's name; only the beginning of a long message.
    package let message: String

    /// A problem, with its texts made printable and at most a few lines long.
    init(place: String, message: String) {
        // Shortened first, because making a text printable never makes it longer.
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

/// The problems in a configuration, of which at most a screen are kept.
package struct BadConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// The maximum number of problems with a message.
    static let maximumProblems = 10

    /// The first problems, in the order of the layers, beginning with the system's files.
    package private(set) var problems: [ConfigurationProblem] = []
    /// The number of further problems.
    package private(set) var others = 0

    /// Adds a problem. A file can have thousands: those beyond a screen are only counted, and their messages are not made.
    mutating func add(_ problem: @autoclosure () -> ConfigurationProblem) {
        if problems.count < Self.maximumProblems { problems.append(problem()) } else { others += 1 }
    }

    /// A line for each problem, and one for the number of further problems if there are any.
    package var lines: [String] {
        let rest = others == 0 ? [] : ["… and \(others.counting("more problem"))"]
        return problems.map(\.description) + rest
    }

    package var description: String { lines.joined(separator: "; ") }
}
