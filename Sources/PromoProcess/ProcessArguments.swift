/// Checks the process's arguments, because Swift replaces invalid UTF-8 in them, and so turns a path into another.
package enum ProcessArguments {
    /// What is wrong with the arguments; nil if each is valid UTF-8.
    package static var problem: String? {
        for number in 1..<max(Int(CommandLine.argc), 1) {
            // The kernel passed `argc` texts, which end with a NUL and stay until the process ends.
            guard let argument = unsafe CommandLine.unsafeArgv[number] else { break }
            if unsafe String(validatingCString: argument) == nil { return "Argument \(number) is not valid UTF-8." }
        }
        return nil
    }
}
