import ArgumentParser
import PromoWire

/// The names of subcommands, looked at before the arguments are parsed: the parser takes a wrong one for an argument too many.
enum SubcommandName {
    /// What is wrong with the subcommand that arguments name; nil if nothing is.
    static func problem(in arguments: [String], of command: any ParsableCommand.Type = Promoctl.self) -> String? {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, let name = arguments.first, !name.hasPrefix("-"), name != "help" else { return nil }
        if let named = subcommands.first(where: { $0._commandName == name }) {
            return problem(in: Array(arguments.dropFirst()), of: named)
        }
        let meant = nearestWord(to: name, among: subcommands.map { $0._commandName } + ["help"], within: 2)
        let help = meant.map { "Did you mean \"\($0)\"?" } ?? "\"promoctl help\" lists them."
        return "There is no subcommand \"\(name.shortened().printable)\". \(help)"
    }
}
