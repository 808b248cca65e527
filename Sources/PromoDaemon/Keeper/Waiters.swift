/// The requests that wait for the end of something. Of a client that hangs up nothing is left.
struct Waiters<Outcome> {
    typealias Waiter = (Outcome) -> Void

    private var waiting: [(client: Int, waiter: Waiter)] = []

    var count: Int { waiting.count }

    mutating func add(_ waiter: @escaping Waiter, of client: Int) {
        waiting.append((client, waiter))
    }

    /// The client has hung up.
    mutating func forget(_ client: Int) {
        waiting.removeAll { $0.client == client }
    }

    /// Removes all.
    mutating func takeAll() -> [Waiter] {
        defer { waiting = [] }
        return waiting.map(\.waiter)
    }
}
