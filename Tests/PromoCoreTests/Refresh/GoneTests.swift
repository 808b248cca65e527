import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// An address at which the origin says that there is nothing.
@Suite struct GoneTests {
    private static let sentence = "The address seems to be gone, and is asked once per refresh.interval."

    /// A machine after a number of such answers, and the time of the last.
    private func machine(after answers: Int, fetchedAt: Timestamp? = .start) throws -> (Machine, Timestamp) {
        var machine = Machine.started(fetchedAt: fetchedAt)
        var now = Timestamp.start
        for _ in 0..<answers {
            now = max(now, try #require(machine.next).at)
            try machine.fetch(.gone, now: now)
        }
        return (machine, now)
    }

    @Test(arguments: [nil, Timestamp.start])
    func afterTheSecondAnswerItIsAskedOncePerInterval(fetchedAt: Timestamp?) throws {
        let (early, first) = try machine(after: 1, fetchedAt: fetchedAt)
        #expect(try #require(early.next).at < first + .hours(3))
        #expect(early.schedule.lastError?.message.contains(Self.sentence) == false)
        let (late, last) = try machine(after: 2, fetchedAt: fetchedAt)
        #expect(late.plan == Plan(.retry, at: last + .hours(24)))
        #expect(late.schedule.lastError?.message.hasSuffix(Self.sentence) == true)
    }

    /// A publisher's mistake of an hour shows to nobody, and costs one request.
    @Test(arguments: UInt64(1)...100) func theFirstAnswerIsDoubtedForTwoHours(seed: UInt64) throws {
        var machine = Machine.started(fetchedAt: .start, seed: seed)
        let due = try #require(machine.next).at
        try machine.fetch(.gone, now: due)
        let next = try #require(machine.next)
        #expect(next.at >= due + .minutes(100) && next.at < .start + .hours(24))
    }

    /// A person who looks twice does not turn a mistake of five minutes into a day.
    @Test func anotherAnswerWhileTheFirstIsDoubtedProvesNothing() throws {
        var (machine, now) = try machine(after: 1)
        let planned = machine.next
        for _ in 0..<3 {
            now = now + .minutes(1)
            let request = machine.refreshRequested(now: now)
            _ = machine.fetchEnded(try #require(request.fetch), .gone, now: now)
            #expect(!machine.schedule.isGone && machine.next == planned)
        }
        machine.networkAppeared(now: now)
        #expect(machine.next == planned)
        try machine.fetch(.gone, now: try #require(machine.next).at)
        #expect(machine.schedule.isGone)
    }

    @Test func neitherNetworksNorRestartsMakeItMore() throws {
        var (machine, now) = try machine(after: 2)
        var requests = 0
        let end = now + .days(30)
        while now < end {
            now = now + .hours(1)
            if machine.timerFired(elapsed: false, now: now) != .none {
                requests += 1
                let id = try #require(machine.fetching)
                _ = machine.fetchEnded(id, .gone, now: now)
            }
            machine.networkAppeared(now: now)
            machine = try machine.restarted(now: now)
        }
        #expect((23...30).contains(requests))
    }

    @Test func aPersonsRefreshIsNotHeldUp() throws {
        var (machine, now) = try machine(after: 2)
        let request = machine.refreshRequested(now: now + .minutes(1))
        #expect(request.fetch != nil)
    }

    @Test func anotherAnswerEndsIt() throws {
        var (machine, now) = try machine(after: 3)
        now = try #require(machine.next).at
        try machine.fetch(.failure, now: now)
        #expect(!machine.schedule.isGone)
        #expect(try #require(machine.next).at < now + .hours(13))
        (machine, now) = try self.machine(after: 5)
        now = try #require(machine.next).at
        try machine.fetch(.unchanged, now: now)
        #expect(machine.schedule.gone == 0 && machine.schedule.lastError == nil)
    }

    @Test func aHostileCountIsClamped() throws {
        for (count, expected) in [("-1", 0), ("99", 2), ("9223372036854775807", 2), ("\"x\"", 0)] {
            let schedule = RefreshSchedule(fileBytes: Array("{\"attempt\":2,\"gone\":\(count)}".utf8))
            #expect(schedule?.gone == expected)
        }
    }
}
