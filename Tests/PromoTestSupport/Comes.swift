import Glibc

/// Asks again and again until it is so; false where it is not within a minute.
package func comes(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if try condition() { return true }
        // Leaves the processor to those who are waited for.
        poll(nil, 0, 2)
    }
    return false
}
