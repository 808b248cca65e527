import Dispatch
import PromoCore
import PromoWire
import Synchronization

/// Reads and stores fetched catalogs on a queue of its own, because a large one takes long, and commands must not wait for it.
final class IntakeQueue: Sendable {
    /// The input of an intake.
    struct Job: Sendable {
        let reply: OriginReply
        let url: HTTPSURL
        let held: HeldCatalog?
        let now: Timestamp
        let store: CatalogStore
    }

    /// The result of an intake.
    struct Outcome: Sendable {
        let intake: CatalogIntake
        /// The accepted catalog; nil if there is none.
        let accepted: HeldCatalog?
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
        let intake = CatalogIntake(reply, held: held, from: url, now: now)
        guard var accepted = intake.accepted else {
            return IntakeQueue.Outcome(intake: intake, accepted: nil, storeFailure: nil)
        }
        let failure = store.store(&accepted, unless: token)
        return IntakeQueue.Outcome(intake: intake, accepted: accepted, storeFailure: failure)
    }
}
