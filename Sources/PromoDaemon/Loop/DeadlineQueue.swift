import PromoCore

/// Deadlines in the order of their times.
struct DeadlineQueue {
    /// The earliest deadline last, where it is removed without moving the others.
    private var entries: [(time: Milliseconds, id: Int)] = []

    /// The number of deadlines.
    var count: Int { entries.count }

    /// The time of the first deadline; nil if there is none.
    var first: Milliseconds? { entries.last?.time }

    mutating func insert(_ id: Int, at time: Milliseconds) {
        var places = 0..<entries.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            places =
                entries[middle].time > time ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        entries.insert((time, id), at: places.lowerBound)
    }

    /// Removes the first deadline if its time has come.
    mutating func removeFirst(upTo now: Milliseconds) -> Int? {
        guard let first, first <= now else { return nil }
        return entries.removeLast().id
    }

    /// Removes all deadlines except those for which the closure returns true.
    mutating func keep(_ isKept: (Int) -> Bool) {
        entries.removeAll { !isKept($0.id) }
    }
}
