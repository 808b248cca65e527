import PromoCore
import PromoTestSupport
import PromoWire

/// An origin that is up, down, or changes between the two.
struct SimulatedOrigin {
    enum Mood: Sendable {
        case up, down, moody
    }

    struct Answer {
        var end: FetchEnd
        var duration: Duration
        /// Whether the request reached the origin.
        var isReached = true
        var retryAfter: Duration?
    }

    private(set) var outages = 0
    private(set) var timeDown = Duration.zero

    private let mood: Mood
    private var isUp: Bool
    private var changesAt = Duration.zero

    init(_ mood: Mood) {
        self.mood = mood
        isUp = mood != .down
    }

    mutating func answer(at time: Duration, using generator: inout SeededGenerator) -> Answer {
        while mood == .moody && time >= changesAt { change(using: &generator) }
        let duration = Duration.milliseconds(Int64.random(in: 20...30_000, using: &generator))
        if isUp {
            let isChanged = Int.random(in: 0..<3, using: &generator) == 0
            return Answer(end: isChanged ? .updated : .unchanged, duration: duration)
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2 where mood == .moody:
            return Answer(end: .offline, duration: duration, isReached: false)
        case 3...5 where mood == .moody:
            // From zero to over a day and a half, more often short than long.
            let longest = Int64(1) << Int64.random(in: 0...17, using: &generator)
            let wait = Duration.seconds(Int64.random(in: 0..<longest, using: &generator))
            return Answer(end: .failure(retryAfter: wait), duration: duration, retryAfter: wait)
        default:
            return Answer(end: .failure, duration: duration)
        }
    }

    private mutating func change(using generator: inout SeededGenerator) {
        let length = Duration.seconds(Int64.random(in: 600...90_000, using: &generator))
        isUp.toggle()
        changesAt += length
        if !isUp {
            outages += 1
            timeDown += length
        }
    }
}
