import CLinux
import FoundationEssentials
import Glibc
package import PromoWire

/// What the process is, before anything runs in it.
package enum ProcessSetup {
    /// The process's environment.
    package static var environment: [String: String] { ProcessEnvironment().variables }

    /// The user's home directory, from the environment or the password database.
    package static var home: String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        return getpwuid(getuid()).flatMap { String(validatingCString: $0.pointee.pw_dir) } ?? "/"
    }

    /// Checks that nothing in the environment names a path that ``environment`` cannot hold.
    package static func checkEnvironment() throws(StartFailure) {
        do {
            _ = try ProcessEnvironment().checked()
        } catch {
            throw StartFailure(.configuration, error.description)
        }
    }

    /// The wall clock.
    package static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Whether the kernel holds the wall clock to be right.
    package static var isClockSynchronized: Bool { promod_is_clock_synchronized() != 0 }

    /// Has the kernel end this process, with SIGTERM, when the one that started it ends.
    package static func endWithParent() {
        promod_end_with_parent()
    }

    /// Makes the process ready for a daemon. To be called before there is a second thread.
    static func prepare() {
        fillStandardDescriptors()
        Memory.setUp()
        Confinement.hideOtherProcesses()
        resetSignals()
    }

    /// Sees to it that no file that is opened later becomes standard error, where a parent closed it.
    private static func fillStandardDescriptors() {
        var descriptor = open("/dev/null", O_RDWR)
        while descriptor >= 0 && descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Undoes what a parent may have left: blocked signals would make the daemon deaf, and a client that goes away must not
    /// kill it. What ``Signals`` hears waits until ``takeSignals()``, so that a stop is orderly from the first moment on.
    private static func resetSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
        var heard = heardSignals
        pthread_sigmask(SIG_BLOCK, &heard, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Lets the signals through that ``Signals`` hears, those that have waited too.
    static func takeSignals() {
        var heard = heardSignals
        pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    }

    private static var heardSignals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        return set
    }
}
