package import ArgumentParser
import PromoWire

/// Finds and checks the subcommand before the arguments are parsed, because the parser reports a wrong one as an unexpected argument.
package enum SubcommandName {
    /// The subcommands of each program, so that one can refer to the other.
    package static let ofPrograms = [
        "promoctl": [
            "setup", "list", "page", "tap", "impression", "launch", "review", "refresh", "clear", "wait",
            "validate", "status", "check", "metrics", "doctor", "events", "reload",
        ],
        "promod": ["validate"],
    ]

    /// The innermost subcommand at the beginning of the arguments, with the arguments after its name; nil if there is none.
    package static func command(
        for arguments: [String], of command: any ParsableCommand.Type
    ) -> (any ParsableCommand.Type, [String])? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return (command, arguments) }
        guard let named = subcommands.first(where: { $0._commandName == arguments.first }) else { return nil }
        return Self.command(for: Array(arguments.dropFirst()), of: named)
    }

    /// The problem with the subcommand in the arguments; nil if it is right or missing.
    /// - Parameter names: the names of the program and of the subcommands before it.
    package static func problem(
        in arguments: [String], of command: any ParsableCommand.Type, after names: [String] = []
    ) -> String? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, let name = arguments.first, !name.hasPrefix("-") else { return nil }
        if name == "help" { return problem(in: Array(arguments.dropFirst()), of: command, after: names) }
        let names = names + [command._commandName]
        if let named = subcommands.first(where: { $0._commandName == name }) {
            return problem(in: Array(arguments.dropFirst()), of: named, after: names)
        }
        if names.count == 1, let other = ofPrograms.first(where: { $0.value.contains(name) })?.key {
            return "\(names[0]) has no \"\(name)\"; \(other) has: \(other) \(name)."
        }
        let meant = nearestWord(to: name, among: subcommands.map { $0._commandName } + ["help"], within: 2)
        let help = ([names[0], "help"] + names.dropFirst()).joined(separator: " ")
        let advice = meant.map { "Did you mean \"\($0)\"?" } ?? "\"\(help)\" lists them."
        return "There is no subcommand \"\(name.shortened().printable)\". \(advice)"
    }
}
