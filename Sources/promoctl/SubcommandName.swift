import ArgumentParser
import PromoProcess

/// Finds and checks the subcommand before the arguments are parsed. The parser would call a wrong one an unexpected argument.
enum SubcommandName {
    /// The innermost subcommand at the beginning of the arguments, with the arguments after its name; nil if there is none.
    static func command(
        for arguments: [String], of command: any ParsableCommand.Type = Promoctl.self
    ) -> (any ParsableCommand.Type, [String])? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return (command, arguments) }
        guard let named = subcommands.first(where: { $0._commandName == arguments.first }) else { return nil }
        return Self.command(for: Array(arguments.dropFirst()), of: named)
    }

    /// What is wrong with the subcommand in the arguments; nil if it is right or missing.
    static func problem(in arguments: [String], of command: any ParsableCommand.Type = Promoctl.self) -> String? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, let name = arguments.first, !name.hasPrefix("-") else { return nil }
        if name == "help" { return problem(in: Array(arguments.dropFirst()), of: command) }
        if let named = subcommands.first(where: { $0._commandName == name }) {
            return problem(in: Array(arguments.dropFirst()), of: named)
        }
        return ProcessArguments.unknown(subcommand: name, of: "promoctl", among: subcommands.map { $0._commandName })
    }
}
