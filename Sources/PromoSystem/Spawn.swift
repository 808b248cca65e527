import CLinux
import Glibc

/// Starts a program as a child of this process.
package enum Spawn {
    /// Starts a program by posix_spawn(3), with no signal blocked or ignored.
    /// - Parameters:
    ///   - program: its path, or a name without a slash, which is looked up in `PATH`.
    ///   - environment: entries of the form `NAME=value`; nil for those of this process.
    ///   - descriptors: the descriptors that the child gets, each with its number there.
    ///   - last: the number above which all descriptors are closed in the child; nil for those that are closed on exec.
    /// - Returns: the child's process id, or a negative `errno`.
    package static func start(
        _ program: String, _ arguments: [String], environment: [String]? = nil, descriptors: [(Int32, as: Int32)],
        last: Int32? = nil
    ) -> Int32 {
        // The actions and the attributes exist until the program was started, and no call keeps its other arguments.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (own, number) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, own, number) }
        if let last { unsafe promod_add_close_from(&actions, last + 1) }
        // Dispatch's threads block most signals, which a child would inherit.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let problem = unsafe withCStrings(arguments) { argv in
            guard let environment else {
                return unsafe posix_spawnp(&process, program, &actions, &attributes, argv, environ)
            }
            return unsafe withCStrings(environment) { envp in
                unsafe posix_spawnp(&process, program, &actions, &attributes, argv, envp)
            }
        }
        return problem == 0 ? process : -problem
    }

    /// Passes copies with a final NUL, followed by a null, to the body, and frees them when it returns.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}
