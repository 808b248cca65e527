package import Glibc

// The C library fills the set before each of these calls returns.

extension sigset_t {
    /// A set of signals.
    package init(of signals: [Int32]) {
        self.init()
        unsafe sigemptyset(&self)
        for signal in signals { unsafe sigaddset(&self, signal) }
    }

    /// The set of all signals.
    package static var all: sigset_t {
        var set = sigset_t()
        unsafe sigfillset(&set)
        return set
    }
}
