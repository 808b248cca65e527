import PromoCore
import PromoWire

/// The encoded pictures that unsent replies still refer to, and those that are being read, so that replies share them.
struct EncodedPictures {
    typealias Waiter = @Sendable (SharedBytes?) -> Void

    private final class Entry {
        weak var base64: SharedBytes?
    }

    /// The pictures by digest.
    private var entries: [String: Entry] = [:]
    /// The replies that wait for a picture to be read, by its digest.
    private var waiters: [String: [Waiter]] = [:]

    /// Calls back with a picture in base64, at once or when it was read.
    /// - Returns: whether it is to be read now.
    mutating func ask(_ digest: String, _ waiter: @escaping Waiter) -> Bool {
        if let shared = entries[digest]?.base64 {
            waiter(shared)
            return false
        }
        waiters[digest, default: []].append(waiter)
        return waiters[digest]?.count == 1
    }

    /// Answers those that wait: no picture is read any more.
    mutating func stop() {
        for digest in waiters.keys { read(digest, nil) }
    }

    /// A picture was read; nil if it could not be.
    mutating func read(_ digest: String, _ base64: SharedBytes?) {
        entries = entries.filter { $1.base64 != nil }
        if let base64 {
            let entry = Entry()
            entry.base64 = base64
            entries[digest] = entry
        }
        for waiter in waiters.removeValue(forKey: digest) ?? [] { waiter(base64) }
    }
}
