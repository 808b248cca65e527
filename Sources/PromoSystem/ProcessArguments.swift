import Glibc

/// The process's arguments, which may be invalid UTF-8 or contain a password.
package enum ProcessArguments {
    /// The problem with the arguments; nil if they are valid UTF-8. Swift replaces invalid bytes, which turns a path into
    /// another.
    package static var problem: String? {
        for number in 1..<max(Int(CommandLine.argc), 1) {
            // The kernel passed `argc` texts, which end with a NUL and exist until the process ends.
            guard let argument = unsafe CommandLine.unsafeArgv[number] else { break }
            if unsafe String(validatingCString: argument) == nil { return "Argument \(number) is not valid UTF-8." }
        }
        return nil
    }

    /// A message in which `…` replaces the part of each argument before its `@`, which may be a user and a password.
    package static func withoutCredentials(
        _ message: String, of arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> String {
        // A message may quote an option's value without its name.
        let quoted = arguments.flatMap { [$0[...], $0.drop { $0 != "=" }.dropFirst()] }.filter { $0.contains("@") }
        return quoted.sorted { $0.count > $1.count }.reduce(message) { message, argument in
            guard let end = argument.lastIndex(of: "@") else { return message }
            return message.replacing(argument, with: "…" + argument[end...])
        }
    }
}
