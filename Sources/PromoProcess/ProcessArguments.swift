/// The process's arguments; Swift's replaces what is not UTF-8, and so names another file.
package enum ProcessArguments {
    /// What is wrong with them; nil if each is valid UTF-8.
    package static var problem: String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let invalid = arguments.dropFirst().firstIndex { $0.map { String(validatingCString: $0) == nil } == true }
        return invalid.map { "Argument \($0) is not valid UTF-8." }
    }
}
