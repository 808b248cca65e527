import CrossPromoKit
import Foundation
import PromoSystem
import Testing

/// Ending another thread's wait.
struct InterruptionTests {
    @Test func withoutItAWaitLastsUntilItsDeadline() {
        let interruption = Interruption()
        let clock = ContinuousClock()
        let elapsed = clock.measure {
            let wasFired = interruption.wait(until: .after(.milliseconds(50)))
            #expect(!wasFired)
        }
        #expect(elapsed >= .milliseconds(50))
    }

    @Test func itEndsAWaitThatHasNoEnd() {
        let interruption = Interruption()
        Thread.detachNewThread { interruption.fire() }
        #expect(interruption.wait(until: .never))
    }

    @Test func itIsPermanent() {
        let interruption = Interruption()
        interruption.fire()
        interruption.fire()
        #expect(interruption.wait(until: .never))
        #expect(interruption.wait(until: .never))
    }

    @Test func aDeadlineThatHasPassedIsOver() {
        #expect(Deadline.after(.zero).hasPassed)
        #expect(Deadline.after(.seconds(-1)).hasPassed)
        #expect(!Deadline.after(.seconds(60)).hasPassed)
        #expect(!Deadline.never.hasPassed)
    }
}
