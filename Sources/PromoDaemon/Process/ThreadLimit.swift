import Dispatch
import Glibc

/// Checks whether promod may start the threads that it needs. Where it may not, Dispatch would wait for ever, without a word.
enum ThreadLimit {
    /// Dispatch's own thread, and those that keep the catalogs, write the log and fetch.
    private static let needed = 4

    /// Throws if the process may not start that many threads.
    static func check() throws(StartFailure) {
        let gate = DispatchSemaphore(value: 0)
        var threads: [pthread_t] = []
        defer {
            for _ in threads { gate.signal() }
            for thread in threads { pthread_join(thread, nil) }
        }
        for _ in 0..<needed {
            var thread = pthread_t()
            // The gate outlives the threads, which are joined before it is released.
            let number = unsafe pthread_create(
                &thread, nil,
                { gate in
                    if let gate = unsafe gate {
                        unsafe Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait()
                    }
                    return nil
                }, Unmanaged.passUnretained(gate).toOpaque())
            guard number == 0 else {
                throw StartFailure(
                    .osError,
                    "promod may start only \(threads.count) threads, and needs \(needed); end some processes, or raise the limit (ulimit -u, or TasksMax=)"
                )
            }
            threads.append(thread)
        }
    }
}
