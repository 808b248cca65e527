import PromoCore

/// Deadlines in a binary heap, so that the first one is known and insertion takes logarithmic time.
struct DeadlineQueue {
    private var entries: [(time: Milliseconds, id: Int)] = []

    /// The number of deadlines.
    var count: Int { entries.count }

    /// The time of the first deadline; nil if there is none.
    var first: Milliseconds? { entries.first?.time }

    mutating func insert(_ id: Int, at time: Milliseconds) {
        entries.append((time, id))
        var child = entries.count - 1
        while child > 0, entries[child].time < entries[(child - 1) / 2].time {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the first deadline if its time has come.
    mutating func removeFirst(upTo now: Milliseconds) -> Int? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.id
    }

    /// Removes all deadlines except those for which the closure returns true.
    mutating func keep(_ isKept: (Int) -> Bool) {
        let kept = entries.filter { isKept($0.id) }
        entries = []
        for entry in kept { insert(entry.id, at: entry.time) }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].time < entries[left].time ? right : left
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }
}
