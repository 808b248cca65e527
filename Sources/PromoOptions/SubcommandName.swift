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

    /// The problem with the subcommand in the arguments, or with a word behind one hyphen; nil if there is none.
    /// - Parameter names: the names of the program and of the subcommands before it.
    package static func problem(
        in arguments: [String], of command: any ParsableCommand.Type, after names: [String] = []
    ) -> String? {
        let subcommands = command.configuration.subcommands
        // The parser would read a word behind one hyphen as letters, of which h asks for help.
        let words = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
        if let word = words.first { return "Unknown option '\(word.elided().printable)'" }
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
        return "There is no subcommand \"\(name.elided().printable)\". \(advice)"
    }
}

extension ParsableCommand {
    /// The message for an error in the parser's form, with the usage of the subcommand that found the error when it ran; the parser would
    /// show the program's.
    /// - Parameter command: the command that ran; nil if none did.
    package static func fullMessage(for error: any Error, thrownBy command: (any ParsableCommand)?) -> String {
        guard let command, let error = error as? ValidationError, type(of: command) != Self.self else {
            return fullMessage(for: error).withWrappedUsage
        }
        let usage = usageString(for: type(of: command))
        let name = "\(_commandName) \(type(of: command)._commandName)"
        return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information.".withWrappedUsage
    }
}

extension String {
    /// The text with its line of usage in lines of at most 80 characters, without a break in brackets; the parser does not wrap it.
    fileprivate var withWrappedUsage: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.lowercased().hasPrefix("usage: ") else { return String(line) }
            var (lines, part, depth) = ([""], "", 0)
            for word in line.split(separator: " ") {
                part += part.isEmpty ? word : " \(word)"
                depth += word.count { $0 == "[" } - word.count { $0 == "]" }
                guard depth == 0 else { continue }
                if lines[lines.count - 1].count + 1 + part.count > 80 { lines.append("      ") }
                lines[lines.count - 1] += lines == [""] ? part : " \(part)"
                part = ""
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

/// Checks values that several subcommands take.
package enum OptionValue {
    /// Checks the value of `--proxy`.
    package static func check(proxy: String?) throws {
        guard let proxy, proxy != "direct", ProxyURL(proxy, isVariable: false) == nil else { return }
        throw ValidationError("--proxy takes the address of a proxy, such as http://proxy.example:3128, or \"direct\".")
    }
}
