import PromoWire

/// The hours of the day in which the machine is usually off or asleep.
///
/// They are learned from missed refreshes: the machine was off at least from the time a refresh was due until it was on again. One miss
/// may be an exception; after a second in the same hours, refreshes are planned around them, so that the day begins with a fresh catalog.
package struct OffHours: Equatable, Sendable {
    private var begin: Timestamp
    private var end: Timestamp
    /// Whether refreshes were missed on more than one day.
    private var isUsual = false

    static let day = Duration.seconds(86_400)
    /// The part of a miss that counts, its last hours: a weekend shows only when the machine is turned on.
    private static let longestMiss = Duration.seconds(12 * 3600)
    /// The maximum length; if the machine seems to be off for longer, the last miss alone counts.
    private static let longest = Duration.seconds(20 * 3600)
    /// How long after the last miss refreshes are planned around the hours, because habits change.
    private static let memory = day * 14

    /// Learns from a missed refresh.
    /// - Parameters:
    ///   - before: the hours learned before.
    ///   - due: when the refresh was due.
    ///   - now: when the machine was on again, later than `due`.
    init(_ before: OffHours?, missed due: Timestamp, now: Timestamp) {
        begin = max(due, now - Self.longestMiss)
        end = now
        guard let before, let earlier = before.occurrence(around: begin, within: Self.memory * 2)?.lowerBound,
            now - earlier <= Self.longest
        else { return }
        // Another start after the same miss is no second miss.
        isUsual = before.isUsual || earlier > before.begin
        begin = earlier
    }

    /// The off hours around a time; nil if the machine is usually on then.
    func hours(around time: Timestamp) -> Range<Timestamp>? {
        isUsual ? occurrence(around: time, within: Self.memory) : nil
    }

    private func occurrence(around time: Timestamp, within memory: Duration) -> Range<Timestamp>? {
        // A begin that is far ahead was learned while the clock was ahead.
        guard time < end + memory, time > begin - memory else { return nil }
        let days = (time.milliseconds - begin.milliseconds) / Self.day.milliseconds
        let first = begin + Self.day * (days - (time < begin ? 1 : 0))
        let hours = first..<first + (end - begin)
        return hours.contains(time) ? hours : nil
    }

    mutating func clockSet(by step: Duration) {
        begin = begin + step
        end = end + step
    }

    init?(_ json: JSONValue?) {
        guard let begin = json?["begin"]?.time, let end = json?["end"]?.time, begin < end, end - begin <= Self.longest,
            let isUsual = json?["usual"]?.boolean
        else { return nil }
        (self.begin, self.end, self.isUsual) = (begin, end, isUsual)
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("begin", begin)
        writer.member("end", end)
        writer.member("usual", isUsual)
    }
}
