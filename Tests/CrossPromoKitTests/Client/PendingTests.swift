@testable import CrossPromoKit
import PromoSystem
import Testing

/// What ends a wait for a value.
struct PendingTests {
    @Test func theFirstValueCounts() async {
        let pending = Pending<Int>()
        #expect(pending.end(1) && !pending.end(2))
        let value = await pending.value(ifCancelled: 0, cancel: {}) { Issue.record("the work was started") }
        #expect(value == 1)
    }

    @Test func workThatHasBegunIsNotEndedByADeadline() {
        let pending = Pending<Int>()
        #expect(pending.begin() && !pending.end(0, unlessBegun: true) && pending.end(1))
    }

    @Test func workDoesNotBeginAfterTheEnd() {
        let pending = Pending<Int>()
        #expect(pending.end(0, unlessBegun: true) && !pending.begin())
    }
}
