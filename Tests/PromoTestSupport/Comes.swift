import Glibc

/// Polls a condition until it holds; false if it does not within a minute.
package func comes(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if try condition() { return true }
        // This leaves the processor to the threads that the condition depends on.
        poll(nil, 0, 2)
    }
    return false
}
