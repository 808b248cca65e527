import Dispatch
import PromoCore
import PromoWire
import Synchronization

/// Reads what origins have sent, on a queue of its own: a large catalog takes long, and commands about others must not wait for it.
final class IntakeQueue: Sendable {
    /// What an intake begins with.
    struct Job: Sendable {
        let reply: OriginReply
        /// The time since the origin sent it.
        let age: Duration
        let url: HTTPSURL
        let generations: Generations
        let trust: CatalogTrust
        let signatures: SignatureStore
        let rule: HoldBackRule
        let now: Timestamp
        let store: CatalogStore
    }

    /// What has come of it.
    struct Outcome: Sendable {
        let intake: CatalogIntake
        let generations: Generations
        /// The failure if the disk refused the catalog.
        let storeFailure: Failure?
    }

    /// Tells an intake that its outcome is not needed any more.
    final class Token: Sendable {
        private let isOver = Atomic(false)

        var isCancelled: Bool { isOver.load(ordering: .acquiring) }

        func cancel() { isOver.store(true, ordering: .releasing) }
    }

    private let queue = DispatchQueue(label: "promod.intake")

    /// Reads a reply and stores an accepted catalog. The completion is called on this queue, unless the token was cancelled.
    func submit(_ job: Job, completion: @escaping @Sendable (Outcome) -> Void) -> Token {
        let token = Token()
        queue.async {
            guard !token.isCancelled else { return }
            let outcome = job.run(token)
            if !token.isCancelled { completion(outcome) }
        }
        return token
    }

    /// Does something else that takes long, between two intakes.
    func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Waits until everything that was submitted is done.
    func finish() {
        queue.sync {}
    }
}

extension IntakeQueue.Job {
    fileprivate func run(_ token: IntakeQueue.Token) -> IntakeQueue.Outcome {
        let held = generations.current
        let intake = CatalogIntake(
            reply, age: age, held: held, from: url, trust: trust,
            signatures: signatures.book(for: trust, with: held, now: now),
            rule: rule, now: now)
        guard var next = intake.accepted else {
            return IntakeQueue.Outcome(intake: intake, generations: generations, storeFailure: nil)
        }
        var generations = generations
        // Before it is stored, so that the file has the pages of the apps that are gone.
        generations.serve(next)
        next.contents = generations.current?.contents
        let failure = store.store(&next, unless: token)
        // After it was stored: a crash in between costs nothing, because the next start finds the signature in the cache.
        if !token.isCancelled { signatures.accept(next, now: now) }
        generations.serve(next)
        return IntakeQueue.Outcome(intake: intake, generations: generations, storeFailure: failure)
    }
}
