import Dispatch
import PromoCore
import PromoWire
import Synchronization

/// Reads and stores fetched catalogs on a queue of its own, because a large one takes long, and commands must not wait for it.
final class IntakeQueue: Sendable {
    /// The input of an intake.
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

    /// The result of an intake.
    struct Outcome: Sendable {
        let intake: CatalogIntake
        let generations: Generations
        /// The failure if the disk refused the catalog.
        let storeFailure: Failure?
    }

    /// Cancels an intake.
    final class Token: Sendable {
        private let isSet = Atomic(false)

        var isCancelled: Bool { isSet.load(ordering: .acquiring) }

        func cancel() { isSet.store(true, ordering: .releasing) }
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

    /// Performs other work that takes long, between two intakes.
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
        // Before the catalog is stored, so that the file has the pages of removed apps.
        generations.serve(next)
        next.contents = generations.current?.contents
        let failure = store.store(&next, unless: token)
        // After the catalog was stored: if promod crashes between the two writes, the next start takes the signature from the cache.
        if !token.isCancelled { signatures.accept(next, now: now) }
        generations.serve(next)
        return IntakeQueue.Outcome(intake: intake, generations: generations, storeFailure: failure)
    }
}
