import PromoWire

/// The schedules of the most recently configured origins. They survive a change of the origin, so that no sequence of reloads asks an
/// origin more often than its schedule allows.
package struct ScheduleBook: Equatable, Sendable {
    /// The maximum number of schedules.
    package static let capacity = 8

    /// The schedules, each with its URL, most recently used first.
    package private(set) var schedules: [RefreshSchedule] = []

    /// Creates an empty book.
    package init() {}

    /// The schedule of an origin; a new one if there is none.
    package func schedule(of url: String) -> RefreshSchedule {
        schedules.first { $0.url == url } ?? RefreshSchedule()
    }

    /// The wall clock was set forward, or back by a negative duration.
    package mutating func clockSet(by step: Duration) {
        for index in schedules.indices { schedules[index].clockSet(by: step) }
    }

    /// Stores an origin's schedule. If there is no room, the least recently used one is dropped.
    package mutating func keep(_ schedule: RefreshSchedule, of url: String) {
        var kept = schedule
        kept.url = url
        schedules.removeAll { $0.url == url }
        schedules.insert(kept, at: 0)
        schedules = Array(schedules.prefix(Self.capacity))
    }
}

extension ScheduleBook {
    /// The contents of the file in which the book is stored: a JSON object on one line, which is the most recently used schedule, with
    /// the others in its member `others`.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            (schedules.first ?? RefreshSchedule()).writeMembers(to: &writer)
            guard schedules.count > 1 else { return }
            writer.objects("others", of: schedules.dropFirst()) { $1.writeMembers(to: &$0) }
        }
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else. Unknown members are ignored.
    package init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root, let first = RefreshSchedule(root) else {
            return nil
        }
        let others = root["others"]?.elements.compactMap { RefreshSchedule($0) } ?? []
        for schedule in others.prefix(Self.capacity - 1).reversed() + [first] {
            if let url = schedule.url { keep(schedule, of: url) }
        }
    }
}
