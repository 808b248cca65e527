import Glibc

/// The process's arguments, which may be invalid UTF-8 or contain a password.
package enum ProcessArguments {
    /// The problem with the arguments; nil if they are known and valid UTF-8. Swift replaces invalid bytes, which turns a path into
    /// another.
    package static var problem: String? {
        // Swift looks for them below the environment, where they are not if that was moved before it starts.
        guard CommandLine.argc > 0 || !hasSome else {
            return
                "The arguments cannot be found, because a preloaded library (LD_PRELOAD) has set a variable of the environment."
        }
        for number in 1..<max(Int(CommandLine.argc), 1) {
            // The kernel passed `argc` texts, which end with a NUL and exist until the process ends.
            guard let argument = unsafe CommandLine.unsafeArgv[number] else { break }
            if unsafe String(validatingCString: argument) == nil { return "Argument \(number) is not valid UTF-8." }
        }
        return nil
    }

    /// Whether the kernel has passed any besides the program's name.
    private static var hasSome: Bool {
        let descriptor = FileSystem.open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Descriptor.readToEnd(of: descriptor, keeping: 8192).drop { $0 != 0 }.count > 1
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
