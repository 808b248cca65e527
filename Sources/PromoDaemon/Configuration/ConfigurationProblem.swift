/// Something wrong in a configuration: where, which key, and what it takes.
package struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// `/path/config.toml:3`, a variable, or an option.
    package let place: String
    /// What is wrong there, with the key's name.
    package let message: String

    package var description: String { "\(place): \(message)" }
}

/// Everything wrong in a configuration, at least one problem.
package struct BadConfiguration: Error, Equatable, Sendable, CustomStringConvertible {
    /// In the order of the layers, the system's files first.
    package let problems: [ConfigurationProblem]

    package var description: String {
        problems.map(\.description).joined(separator: "; ")
    }
}
