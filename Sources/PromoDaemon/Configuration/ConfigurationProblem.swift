import PromoWire

/// A problem in the configuration, with its place.
package struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The longest message and the longest place, in Unicode scalars.
    static let maximumLength = 240

    /// `/path/config.toml:3`, a variable, or the command line. Of a long path, only the end.
    package let place: String
    /// What is wrong, with the key's name. Of a long message, only the beginning.
    package let message: String

    /// A problem, with its texts made printable and at most a few lines long.
    init(place: String, message: String) {
        // Cut first, because making a text printable never makes it longer.
        self.place = place.endShortened(to: Self.maximumLength).printable
        self.message = message.elided(to: Self.maximumLength).printable
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

/// The problems in a configuration, of which the first ten are kept.
package struct BadConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// The maximum number of problems with a message.
    static let maximumProblems = 10

    /// The first problems, in the order of the layers, beginning with the system's files.
    package private(set) var problems: [ConfigurationProblem] = []
    /// The number of further problems.
    package private(set) var others = 0
    /// Whether the system could not read a file now, for example for lack of descriptors.
    var isTemporary = false

    /// Adds a problem. A file can have thousands, so those beyond the maximum are only counted.
    mutating func add(at place: String, _ message: @autoclosure () -> String) {
        guard problems.count < Self.maximumProblems else { return others += 1 }
        problems.append(ConfigurationProblem(place: place, message: message()))
    }

    /// Adds the problem of an unknown key, with the key that was probably meant.
    /// - Parameters:
    ///   - kind: the noun for the owner of the keys.
    ///   - distance: the maximum number of different letters.
    ///   - remedy: the end of the message if no name is near.
    mutating func addUnknown(
        _ name: String, at place: String, of kind: String, among names: [String], within distance: Int, _ remedy: String
    ) {
        let name = name.elided()
        func help() -> String {
            nearestWord(to: name, among: names, within: distance).map { "did you mean \($0)?" } ?? remedy
        }
        add(at: place, "\(name) is not a key of \(kind); \(help())")
    }

    /// A line for each problem, and one for the number of further problems.
    package var lines: [String] {
        let rest = others == 0 ? [] : ["… and \(others.counting("more problem"))"]
        return problems.map(\.description) + rest
    }

    package var description: String { lines.joined(separator: "; ") }
}
