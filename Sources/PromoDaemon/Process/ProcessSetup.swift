import CLinux
import Glibc
import PromoSystem
package import PromoWire

/// Facts about the process, and its set-up before anything else runs.
package enum ProcessSetup {
    /// The process's environment.
    package static var environment: [String: String] { ProcessEnvironment().variables }

    /// The user's home directory, from the environment or the password database.
    package static var home: String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        // The C library's entry stays until its next look-up, and the text is copied from it at once.
        return unsafe getpwuid(getuid()).flatMap { unsafe String(validatingCString: $0.pointee.pw_dir) } ?? "/"
    }

    /// The wall clock.
    package static func now() -> Timestamp { .now }

    /// Whether the kernel reports the wall clock as synchronised.
    package static var isClockSynchronized: Bool { promod_is_clock_synchronized() != 0 }

    /// Whether the kernel has a route to a global address in either family; it takes microseconds and sends nothing.
    static func hasRoute() -> Bool { promod_has_global_route() != 0 }

    /// Whether the home directory is writable, which it is not in the unit's sandbox.
    static var isHomeWritable: Bool {
        var status = statvfs()
        // The kernel fills the status before it returns.
        return unsafe statvfs(home, &status) == 0 && status.f_flag & UInt(ST_RDONLY) == 0
    }

    /// Prepares the process for the daemon. Call this before there is a second thread.
    /// - Throws: ``StartFailure`` if it may have too few open files.
    static func prepare() throws(StartFailure) {
        // Whatever umask was inherited, promod's files are open to its user, and to nobody else.
        umask(0o077)
        promod_set_up_memory()
        try raiseDescriptorLimit()
        resetSignals()
    }

    /// The number of open files that promod needs beside its clients. With fewer, Dispatch would end the process somewhere.
    private static let neededDescriptors: rlim_t = 64

    /// Raises the limit on open files, 1,024 for a user unit, as far as allowed, because each connection takes one.
    private static func raiseDescriptorLimit() throws(StartFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limits = rlimit()
        // The kernel reads and writes the limits before it returns.
        guard unsafe getrlimit(resource, &limits) == 0 else { return }
        guard limits.rlim_max >= neededDescriptors else {
            throw StartFailure(
                .osError,
                "the limit of \(limits.rlim_max) open files is too low, because promod needs \(neededDescriptors); "
                    + "raise it with ulimit -n, or LimitNOFILE= of the service")
        }
        limits.rlim_cur = limits.rlim_max
        _ = unsafe setrlimit(resource, &limits)
    }

    /// Unblocks signals that the parent may have left blocked, and ignores SIGPIPE, because a client that hangs up may not
    /// kill the daemon. The signals of ``Signals`` stay blocked until ``takeSignals()``, so that every stop is orderly.
    private static func resetSignals() {
        var all = sigset_t()
        // No call keeps a reference to a set after it returns, here and below.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
        maskHeardSignals(SIG_BLOCK)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Unblocks the signals of ``Signals``, and delivers pending ones.
    static func takeSignals() {
        maskHeardSignals(SIG_UNBLOCK)
    }

    private static func maskHeardSignals(_ change: Int32) {
        var heard = sigset_t()
        unsafe sigemptyset(&heard)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&heard, number) }
        unsafe pthread_sigmask(change, &heard, nil)
    }
}
