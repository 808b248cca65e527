import PromoCore
import PromoWire
import Testing

@Suite struct ReviewHistoryTests {
    // MARK: What is kept

    @Test func requestsAreKeptWhileTheyCountAndForgottenAYearLater() {
        var record = ReviewRecord()
        record.recordRequest(at: .start)
        let (within, after) = (Timestamp.start + .days(365) - .milliseconds(1), Timestamp.start + .days(365))
        record.recordRequest(at: within)
        #expect(record.requests == [.start, within])
        record.recordRequest(at: after)
        #expect(record.requests == [within, after])
    }

    @Test func theLatestRequestIsKeptHoweverOldItIs() throws {
        let history = ReviewHistory.of(["fittoday": [.days(3000)]], launched: .days(4000))
        let read = try ReviewHistory(fileBytes: history.fileBytes)
        #expect(read["fittoday"]?.requests == [.start - .days(3000)])
        #expect(
            ReviewPolicy().judge(read["fittoday"], completed: 3, now: .start - .days(2980)).reasons == [
                .tooSoonAfterLastRequest
            ])
    }

    @Test func aRequestOfAnotherAppDropsNothing() {
        var history = ReviewHistory.of(["fittoday": [.days(3000)]])
        history.recordRequest(of: "bookary", at: .start)
        #expect(history["fittoday"]?.requests.count == 1)
    }

    @Test func requestsInTheFutureAreKeptAndAllStayInOrder() {
        let (old, past, future) = (
            Timestamp.start - .days(400), Timestamp.start - .days(10), Timestamp.start + .days(9)
        )
        var record = ReviewRecord(requests: [future, old, past])
        #expect(record.requests == [old, past, future])
        record.recordRequest(at: .start)
        #expect(record.requests == [past, .start, future])
    }

    @Test func withoutAYearlyLimitTheRequestsOfAYearAreKept() {
        var record = ReviewRecord()
        for day in 0..<1000 { record.recordRequest(at: .start + .days(day)) }
        #expect(record.requests.count == 365)
        #expect(record.requests.first == .start + .days(635))
    }

    @Test func droppedRequestsChangeNoVerdict() {
        var kept = ReviewRecord(firstLaunch: .start - .days(1))
        var all: [Timestamp] = []
        var now = Timestamp.start
        for step in 0..<400 {
            let whole = ReviewRecord(firstLaunch: kept.firstLaunch, requests: all)
            let verdict = ReviewPolicy().judge(kept, completed: 3, now: now)
            #expect(verdict == ReviewPolicy().judge(whole, completed: 3, now: now))
            if verdict.isEligible {
                kept.recordRequest(at: now)
                all.append(now)
            }
            now = now + .days(step % 17)
        }
        #expect(kept.requests.count < all.count)
    }

    // MARK: Two histories

    @Test func ofTwoRecordsTheEarlierLaunchAndAllRequestsCount() {
        var first = ReviewHistory.of(["both": [.days(9), .days(3)], "mine": [.days(1)]], launched: .days(20))
        var other = ReviewHistory.of(["both": [.days(9), .days(5)], "theirs": []], launched: .days(30))
        other.recordRequest(of: "requested", at: .start)
        first.recordLaunch(of: "requested", at: .start)
        var (one, two) = (first, other)
        one.merge(other)
        two.merge(first)
        #expect(one == two)
        #expect(one["both"]?.firstLaunch == .start - .days(30))
        #expect(one["both"]?.requests == [9, 5, 3].map { .start - .days($0) })
        #expect(one["mine"] == first["mine"] && one["theirs"] == other["theirs"])
        #expect(one["requested"] == ReviewRecord(firstLaunch: .start, requests: [.start]))
    }

    @Test func theAppsThatAreNeededLeastAreThoseWithoutARequestAndThenThoseWhoseLatestIsOldest() {
        var history = ReviewHistory.of(["b": [.days(40), .days(2)], "a": [.days(3)]], launched: .days(50))
        history.recordLaunch(of: "young", at: .start)
        history.recordLaunch(of: "old", at: .start - .days(1))
        var order: [String] = []
        for next in history.leastNeeded(4, of: history.subjects) { order.append(next.app) }
        #expect(order == ["old", "young", "a", "b"])
        #expect(history.leastNeeded(1, of: history.subjects).map(\.app) == ["old"])
    }

    // MARK: Ten thousand

    private static let full: ReviewHistory = {
        var history = ReviewHistory()
        for number in 0..<10_000 { history.recordLaunch(of: "app-\(number)", at: .start) }
        return history
    }()

    @Test func aFullHistoryComesBackWhole() throws {
        let read = try ReviewHistory(fileBytes: Self.full.fileBytes)
        #expect(read == Self.full)
    }
}
