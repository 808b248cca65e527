package import PromoWire

/// What a response says of its age in caches, and of the origin's clock.
package struct ResponseAge: Equatable, Sendable {
    /// How old the origin's word in it is, and what it tells of this machine's clock.
    package struct Verdict: Equatable, Sendable {
        /// The time since the origin sent or confirmed the response.
        package var age: Duration
        /// How far this machine's clock is ahead of the origin's, or behind it if negative; nil without a date.
        package var clockAhead: Duration?
        /// Whether that is the clock's difference and not the age of a response whose cache says none.
        package var isCertain: Bool
    }

    /// The header `Age`; nil if there is none.
    package var age: Duration?
    /// The header `Date`; nil if there is none.
    package var date: OutsideText?

    /// A response that says nothing, or what its headers say.
    package init(age: Duration? = nil, date: OutsideText? = nil) {
        self.age = age
        self.date = date
    }

    /// The oldest that is believed.
    private static let longest = Duration.seconds(365 * 86_400)
    /// What the network takes, and clocks that nobody would call wrong.
    private static let tolerance = Duration.seconds(300)

    /// Tells age and clock apart. A cache that says `Age` states the age, and `Date` then dates the clock. Without `Age`, a date in
    /// the future shows a clock that is behind. A date in the past is that of a response from a cache that says no `Age` (RFC 9111
    /// §4.2.3), unless the response before was behind by the same time: a clock keeps its difference, and a cache hardly ever does.
    /// - Parameter before: the difference of the response before; nil if there was none.
    package func verdict(now: Timestamp, before: Duration?) -> Verdict {
        let stated = min(age ?? .zero, Self.longest)
        guard let date = date.flatMap({ HTTPDate.parse($0, now: now) }) else {
            return Verdict(age: stated, clockAhead: nil, isCertain: false)
        }
        let ahead = now - (date + stated)
        func isNear(_ other: Duration) -> Bool { (.zero - Self.tolerance...Self.tolerance) ~= ahead - other }
        if isNear(.zero) { return Verdict(age: stated, clockAhead: .zero, isCertain: true) }
        if age != nil || ahead < .zero || before.map(isNear) == true {
            return Verdict(age: stated, clockAhead: ahead, isCertain: true)
        }
        return Verdict(age: min(ahead, Self.longest), clockAhead: ahead, isCertain: false)
    }
}
