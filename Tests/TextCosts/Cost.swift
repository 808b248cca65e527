import Glibc

/// The processor time of this thread.
enum Cost {
    /// The least time in nanoseconds that some runs of a body take.
    static func least(of runs: Int, _ body: () -> Void) -> Double {
        (0..<runs).map { _ in
            let start = now()
            body()
            return now() - start
        }.min() ?? 0
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
