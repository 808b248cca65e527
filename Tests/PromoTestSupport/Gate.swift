import Dispatch

/// Holds threads up until a test opens it, once and for good.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A gate that is shut.
    package init() {}

    /// Lets through who waits, and who comes later.
    package func open() {
        semaphore.signal()
    }

    /// Returns when it is open, or after a minute and a half, so that a test that failed still ends.
    /// - Returns: whether it is open.
    @discardableResult
    package func pass() -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + .seconds(90)) == .success
        semaphore.signal()
        return isOpen
    }
}
