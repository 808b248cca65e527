/// Checks the process's arguments, because Swift replaces invalid UTF-8 in them, and so turns a path into another.
package enum ProcessArguments {
    /// What is wrong with the arguments; nil if each is valid UTF-8.
    package static var problem: String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let invalid = arguments.dropFirst().firstIndex { $0.map { String(validatingCString: $0) == nil } == true }
        return invalid.map { "Argument \($0) is not valid UTF-8." }
    }
}
