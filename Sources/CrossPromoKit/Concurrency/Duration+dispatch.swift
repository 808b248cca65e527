import Dispatch

extension Duration {
    /// The duration for Dispatch's timers, at most a day.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .milliseconds(Int(max(min(seconds, 86_400), 0) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000))
    }
}
