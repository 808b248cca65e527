import PromoWire

/// The schedules of the origins that were configured lately. Each outlives a change to another origin and back, so that no
/// sequence of reloads can ask an origin more often than it allows.
package struct ScheduleBook: Equatable, Sendable {
    /// How many origins are remembered.
    package static let capacity = 8

    /// The schedules, each with its URL, the one that was used last first.
    package private(set) var schedules: [RefreshSchedule] = []

    /// A book without schedules.
    package init() {}

    /// What is remembered of an origin; a fresh schedule if nothing is.
    package func schedule(of url: String) -> RefreshSchedule {
        schedules.first { $0.url == url } ?? RefreshSchedule()
    }

    /// Remembers an origin's schedule, in place of the one that was used longest ago if there is no room.
    package mutating func keep(_ schedule: RefreshSchedule, of url: String) {
        var kept = schedule
        kept.url = url
        schedules.removeAll { $0.url == url }
        schedules.insert(kept, at: 0)
        schedules = Array(schedules.prefix(Self.capacity))
    }
}

extension ScheduleBook {
    /// The bytes of the file that it is kept in: a JSON object on one line, the schedule that was used last with the others in it.
    package var fileBytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            (schedules.first ?? RefreshSchedule()).writeMembers(to: &writer)
            guard schedules.count > 1 else { return }
            writer.name("others")
            writer.array { writer in
                for schedule in schedules.dropFirst() {
                    writer.object { schedule.writeMembers(to: &$0) }
                }
            }
        }
        writer.append("\n")
        return writer.bytes
    }

    /// Reads what ``fileBytes`` wrote; nil for anything else. Members that are not known are ignored.
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
