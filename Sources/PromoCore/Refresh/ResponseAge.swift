package import PromoWire

/// A response's headers about its age in caches and about the origin's clock.
package struct ResponseAge: Equatable, Sendable {
    /// The age of a response, and the difference between the origin's clock and this machine's.
    package struct Verdict: Equatable, Sendable {
        /// The time since the origin sent or confirmed the response.
        package var age: Duration
        /// The difference between the clocks; nil without a date.
        package var clock: OriginClock?
        /// Whether the difference is between the clocks, and not the age of a response from a cache that sends no `Age`.
        package var isCertain: Bool
    }

    /// The header `Age`; nil if there is none.
    package var age: Duration?
    /// The header `Date`; nil if there is none.
    package var date: OutsideText?

    /// Creates the age of a response from its headers.
    package init(age: Duration? = nil, date: OutsideText? = nil) {
        self.age = age
        self.date = date
    }

    /// The greatest age that is believed.
    static let longest = Duration.seconds(365 * 86_400)
    /// A difference that the network and ordinary clocks can cause.
    private static let tolerance = Duration.seconds(300)

    /// Tells the age from a difference between the clocks. If there is an `Age`, the rest of the difference is the clocks'. Without one, a
    /// date in the future shows that this machine's clock is behind. A date in the past is that of a response from a cache that sends no
    /// `Age` (RFC 9111 §4.2.3), unless an earlier response, with an earlier date, differed by the same time: a clock keeps its
    /// difference, and a cache hardly ever does.
    /// - Parameter before: the difference that an earlier response showed; nil if there was none.
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
        // The earlier date stays, so that a later response can be far enough from it.
        let isSame = before.map { isNear($0.ahead) } ?? false
        return Verdict(age: min(clock.ahead, Self.longest), clock: isSame ? before : clock, isCertain: false)
    }
}

/// The date of a response, and the difference to this machine's clock.
package struct OriginClock: Equatable, Sendable {
    /// The origin's date.
    package var date: Timestamp
    /// How far this machine's clock seemed to be ahead of the origin's, or behind it if negative.
    package var ahead: Duration

    /// Creates the difference that a response shows.
    package init(date: Timestamp, ahead: Duration) {
        self.date = date
        self.ahead = ahead
    }
}
