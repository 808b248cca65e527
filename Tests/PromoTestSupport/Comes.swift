import Glibc

/// Repeats a body until it has a value.
/// - Parameter what: what is waited for, which the error names if it does not come within a minute.
package func awaited<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value {
    var value: Value?
    guard
        try comes({
            value = try body()
            return value != nil
        }), let value
    else { throw TestFailure("\(what) has not come within a minute") }
    return value
}

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
