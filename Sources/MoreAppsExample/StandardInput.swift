import Dispatch
import Glibc

/// What is typed, line by line, without holding up the main actor.
enum StandardInput {
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "example.input").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
