package import PromoWire

/// What a response says of its age in caches, and of the origin's clock.
package struct ResponseAge: Equatable, Sendable {
    /// How old the origin's word in it is, and what it tells of this machine's clock.
    package struct Verdict: Equatable, Sendable {
        /// The time since the origin sent or confirmed the response.
        package var age: Duration
        /// What the date shows; nil without one.
        package var clock: OriginClock?
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
    static let longest = Duration.seconds(365 * 86_400)
    /// A difference that the network and ordinary clocks explain.
    private static let tolerance = Duration.seconds(300)

    /// Tells age and clock apart. A cache that says `Age` states the age, and `Date` then dates the clock. Without `Age`, a date in
    /// the future shows a clock that is behind. A date in the past is that of a response from a cache that says no `Age` (RFC 9111
    /// §4.2.3), unless an earlier response, with an earlier date, was behind by the same time: a clock keeps its difference, and a
    /// cache hardly ever does.
    /// - Parameter before: what an earlier response showed; nil if there was none.
    package func verdict(now: Timestamp, before: OriginClock?) -> Verdict {
        let stated = min(age ?? .zero, Self.longest)
        guard let date = date.flatMap({ HTTPDate.parse($0, now: now) }) else {
            return Verdict(age: stated, clock: nil, isCertain: false)
        }
        let clock = OriginClock(date: date, ahead: now - (date + stated))
        func isNear(_ other: Duration) -> Bool { (.zero - Self.tolerance...Self.tolerance) ~= clock.ahead - other }
        if isNear(.zero) || age != nil || clock.ahead < .zero {
            return Verdict(age: stated, clock: clock, isCertain: true)
        }
        if let before, isNear(before.ahead), date - before.date > Self.tolerance * 2 {
            return Verdict(age: stated, clock: clock, isCertain: true)
        }
        // The earlier date stays, so that a later one can be told from it.
        let isSame = before.map { isNear($0.ahead) } ?? false
        return Verdict(age: min(clock.ahead, Self.longest), clock: isSame ? before : clock, isCertain: false)
    }
}

/// The date of a response, and what it tells of this machine's clock.
package struct OriginClock: Equatable, Sendable {
    /// The origin's date.
    package var date: Timestamp
    /// How far this machine's clock seemed to be ahead of the origin's, or behind it if negative.
    package var ahead: Duration

    /// Creates what a response shows.
    package init(date: Timestamp, ahead: Duration) {
        self.date = date
        self.ahead = ahead
    }
}
