import CLinux
import Synchronization

/// A value that one thread at a time has: a mutex that the thread sanitizer sees, too.
package struct Guarded<Value: ~Copyable>: ~Copyable {
    private let mutex: Mutex<Value>

    /// Creates it with a value.
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Gives a function the value, for which it may have to wait.
    package borrowing func withLock<Result: ~Copyable, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            promod_lock_is_taken()
            defer { promod_lock_is_released() }
            return try body(&value)
        }
    }
}

extension Guarded: Sendable where Value: ~Copyable {}
