@testable import PromoCore
import PromoWire
import Testing

/// A catalog that lost more than half of its apps is held back.
@Suite struct HoldBackTests {
    private static let wait = Duration.hours(1)
    private let url: HTTPSURL

    init() throws {
        url = try #require(HTTPSURL("https://example.com/c.json"))
    }

    /// The bytes of a catalog of apps with these ids.
    private func bytes(_ ids: [String]) -> [UInt8] {
        let apps = ids.map {
            #"{"id":"\#($0)","name":"N","appStoreID":"1","iconURL":"https://e.x/i","category":"c","tagline":{"en":"t"}}"#
        }
        return Array(#"{"apps":[\#(apps.joined(separator: ","))],"promoRules":{}}"#.utf8)
    }

    private func held(_ ids: [String]) throws -> HeldCatalog {
        try HeldCatalog(
            CatalogContents(bytes(ids), of: url, validators: Validators(), at: .start - .hours(24)), isStored: true)
    }

    private func intake(
        _ new: [String], held: [String], isOn: Bool = true, before: HeldBack? = nil, age: Duration? = nil,
        now: Timestamp = .start
    ) throws -> CatalogIntake {
        CatalogIntake(
            .body(bytes(new), Validators()), age: age ?? .zero, held: try self.held(held), from: url, trust: .anyone,
            rule: HoldBackRule(isOn: isOn, before: before, wait: Self.wait), now: now)
    }

    private func loss(
        _ new: [String], held: [String], before: HeldBack? = nil, age: Duration? = nil, now: Timestamp = .start
    ) throws -> HeldBack? {
        guard case .heldBack(let loss, _) = try intake(new, held: held, before: before, age: age, now: now) else {
            return nil
        }
        return loss
    }

    private static let five = ["a", "b", "c", "d", "e"]

    @Test(arguments: [
        (five, ["a", "b"], true), (five, ["a", "b", "c"], false), (five, ["x", "y", "z", "w", "v"], true),
        (["a", "b", "c", "d"], ["a", "b"], false), (["a", "b", "c", "d"], ["a"], true),
        (["a", "b", "c"], ["x"], false),
        (five, ["a", "b", "x", "y", "z"], true), (five, ["e", "d", "c", "b", "a"], false),
    ])
    func theMeasureIsTheShareOfTheAppsThatAreGone(held: [String], new: [String], isHeldBack: Bool) throws {
        #expect(try (loss(new, held: held) != nil) == isHeldBack)
    }

    @Test func theFailureSaysHowManyAreGone() throws {
        guard case .heldBack(let loss, let failure) = try intake(["a", "b"], held: Self.five) else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .shrunk && failure.message.contains("lacks 3 of the 5 apps"))
        #expect(loss.status == HeldBackStatus(since: .start, apps: 2, lost: 3))
    }

    @Test func itIsTakenIfItIsTurnedOff() throws {
        guard case .updated = try intake(["a"], held: Self.five, isOn: false) else {
            Issue.record("it was not taken")
            return
        }
    }

    @Test func aSecondFetchOfTheSameAppsIsBelievedAfterTheWait() throws {
        let first = try loss(["a", "b"], held: Self.five)
        let early = try loss(["b", "a"], held: Self.five, before: first, now: .start + Self.wait - .milliseconds(1))
        #expect(early?.status.since == .start)
        #expect(try loss(["b", "a"], held: Self.five, before: first, now: .start + Self.wait) == nil)
    }

    @Test(arguments: [
        (nil, true), (Duration.zero, true), (.seconds(7198), true), (.seconds(7199), false), (.days(9), false),
    ])
    func aReplyThatACacheHasHadSinceTheFirstFetchIsNotASecondOne(age: Duration?, isBelieved: Bool) throws {
        let first = try loss(["a", "b"], held: Self.five)
        let second = try loss(["a", "b"], held: Self.five, before: first, age: age, now: .start + .hours(2))
        #expect((second == nil) == isBelieved)
        #expect(isBelieved || second?.status.since == .start)
    }

    @Test func otherAppsBeginTheWaitAgain() throws {
        let first = try loss(["a", "b"], held: Self.five)
        let other = try loss(["a"], held: Self.five, before: first, now: .start + .hours(1))
        #expect(other?.status.since == .start + .hours(1))
    }

    @Test func itMovesWithTheClock() throws {
        var loss = try #require(try loss(["a", "b"], held: Self.five))
        loss.clockSet(by: .hours(-7))
        #expect(loss.status.since == .start - .hours(7))
    }

    // MARK: The machine

    private func heldBack(_ policy: RefreshPolicy = .exact) throws -> Machine {
        var machine = Machine.started(policy, fetchedAt: .start - .hours(24))
        let loss = try #require(try loss(["a", "b"], held: Self.five))
        try machine.fetch(.heldBack(loss, Failure(.shrunk, "Less.")), now: .start)
        return machine
    }

    @Test func theSecondLookIsPlannedAfterAnHour() throws {
        let machine = try heldBack()
        #expect(machine.plan == Plan(.retry, at: .start + .hours(1)))
        #expect(machine.schedule.attempt == 0 && machine.schedule.lastOutcome == .heldBack)
        #expect(machine.fetchedAt == .start - .hours(24))
        let next = try #require(try heldBack(RefreshPolicy()).next)
        #expect(next.at >= .start + .hours(1) && next.at <= .start + .minutes(61))
    }

    @Test func aSecondLookThatGetsTheFirstReplyAgainIsRepeatedAfterAnotherHour() throws {
        var machine = try heldBack()
        let loss = try #require(machine.schedule.heldBack)
        try machine.fetch(.heldBack(loss, Failure(.shrunk, "Less.")), now: .start + .hours(1))
        #expect(machine.plan == Plan(.retry, at: .start + .hours(2)))
    }

    @Test func itSurvivesARestart() throws {
        let machine = try heldBack()
        let again = try machine.restarted(now: .start + .seconds(9))
        #expect(again.schedule.heldBack == machine.schedule.heldBack && again.schedule.heldBack != nil)
        #expect(again.plan == Plan(.retry, at: .start + .hours(1)))
    }

    @Test func aSuccessForgetsIt() throws {
        var machine = try heldBack()
        try machine.fetch(.unchanged, now: .start + .hours(1))
        #expect(machine.schedule.heldBack == nil && machine.schedule.lastError == nil)
    }

    @Test func aFailureInBetweenDoesNot() throws {
        var machine = try heldBack()
        try machine.fetch(.failure, now: .start + .hours(1))
        #expect(machine.schedule.heldBack != nil)
    }

    @Test(arguments: [false, true]) func withoutAServedCatalogNoneIsHeldBack(hasFailed: Bool) throws {
        var machine = try heldBack()
        if hasFailed { try machine.fetch(.failure, now: .start + .hours(1)) }
        let error = machine.schedule.lastError
        machine.cleared(now: .start + .hours(1) + .minutes(30))
        _ = machine.timerFired(elapsed: true, now: .start + .hours(1) + .minutes(30))
        #expect(machine.schedule.heldBack == nil)
        // The failure of another attempt stays.
        #expect(machine.schedule.lastError == (hasFailed ? error : nil) && error != nil)
    }

    @Test func aTimeFromTheFutureIsNotBelieved() throws {
        let machine = try heldBack().restarted(now: .start - .hours(2))
        #expect(machine.schedule.heldBack == nil)
    }

    @Test(arguments: ["7", "{}", #"{"since":"x","count":1,"lost":2,"apps":"a"}"#, #"{"since":null}"#])
    func anythingElseInTheFileIsNone(text: String) throws {
        let schedule = try #require(RefreshSchedule(fileBytes: Array(#"{"attempt":0,"heldBack":\#(text)}"#.utf8)))
        #expect(schedule.heldBack == nil)
    }
}
