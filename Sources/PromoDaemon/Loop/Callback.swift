/// A closure in an object: a closure that is read out of a generic container, such as a `Mutex`, is wrapped in one more thunk at each
/// read, until a call overflows the stack.
final class Callback<Argument>: Sendable {
    let body: @Sendable (Argument) -> Void

    init(_ body: @escaping @Sendable (Argument) -> Void) {
        self.body = body
    }
}
