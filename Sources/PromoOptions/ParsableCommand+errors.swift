package import ArgumentParser

extension ParsableCommand {
    /// The error to report about arguments: an unknown option rather than a missing argument, which the parser reports first.
    package static func complaint(_ error: any Error, about arguments: [String]) -> any Error {
        let prefix = "Missing expected argument '"
        var (filled, next) = (arguments, error)
        while filled.count < arguments.count + 10, message(for: next).hasPrefix(prefix) {
            let name = message(for: next).dropFirst(prefix.count).prefix { $0 != " " && $0 != "'" }
            filled += name.hasPrefix("-") ? [String(name), "1"] : ["1"]
            do {
                _ = try parseAsRoot(filled)
                return error
            } catch let another {
                next = another
            }
        }
        return message(for: next).hasPrefix("Unknown option") ? next : error
    }

    /// The message for an error in the parser's form, with the usage of the subcommand that found the error when it ran; the parser would
    /// show the program's.
    /// - Parameter command: the command that ran; nil if none did.
    package static func fullMessage(for error: any Error, thrownBy command: (any ParsableCommand)?) -> String {
        guard let command, let error = error as? ValidationError, type(of: command) != Self.self else {
            return fullMessage(for: error)
        }
        let usage = usageString(for: type(of: command))
        let name = "\(_commandName) \(type(of: command)._commandName)"
        return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
    }
}
