import Dispatch

/// Blocks threads until a test opens it for good.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a closed gate.
    package init() {}

    /// Lets all threads pass, those that wait and those that come later.
    package func open() {
        semaphore.signal()
    }

    /// Whether the gate is open.
    package var isOpen: Bool {
        let isOpen = semaphore.wait(timeout: .now()) == .success
        if isOpen { semaphore.signal() }
        return isOpen
    }

    /// Waits until the gate is open, but at most a minute and a half, so that a test that failed still ends.
    /// - Returns: whether the gate is open.
    @discardableResult
    package func pass() -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + .seconds(90)) == .success
        semaphore.signal()
        return isOpen
    }
}
