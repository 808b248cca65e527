import Dispatch
import Logging
import PromoCore
import PromoWire

/// The requests about launches and reviews, each of which is one job on the file of the history.
extension Keeper {
    /// What the jobs on the file have found.
    struct Reviews {
        let file: ReviewFile
        /// The ids of the launched apps, which lists may leave out.
        var launched: Set<String> = []
        /// That a damaged history was set aside, for as long as it is there.
        var damage: String?
        /// Why the last job failed; nil if it succeeded.
        var problem: String?
        /// Whether it was logged that the filesystem confirms no write.
        var isMissingSyncReported = false
        /// Whether it was logged that it has no locks.
        var isMissingLockReported = false

        /// What the status says.
        var error: String? { problem ?? damage }
    }

    /// The number of apps from which a history takes megabytes while it is read, which glibc would keep for a next use.
    private static let large = 1000

    /// Carries a request out on the history, publishes what lists and the status tell of it, and completes the request.
    private func review<Answer: MethodResult>(
        _ completion: @escaping Command.Completion, _ body: @escaping @Sendable (inout ReviewHistory) -> Answer
    ) {
        disk.async { [inbox, file = reviews.file, deadline = ReviewFile.deadline] in
            let done = ReviewFile.Job(file, until: deadline, body)
            inbox.submit { keeper in
                keeper.take(done)
                switch done.answer {
                case .success(let answer): completion(.result(answer))
                case .failure(let error): completion(.refused(error))
                }
            }
        }
    }

    /// Takes what a job has found.
    func take(_ job: ReviewFile.Job<some Sendable>) {
        let (before, findings) = ((reviews.launched, reviews.error), job.findings)
        if let launched = findings.launched { reviews.launched = launched }
        if reviews.launched.count > Self.large { giveBackMemory() }
        if let damage = findings.damage {
            reviews.damage = damage
            effects.logger.log(.reviewsSetAside, damage, ["error": "storage"])
        }
        if let error = findings.notDurable, !reviews.isMissingSyncReported {
            reviews.isMissingSyncReported = true
            effects.logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(error)",
                ["error": "storage"])
        }
        if case .failure(let error) = job.answer {
            if reviews.problem != error.message {
                effects.logger.log(.reviewsNotStored, error.message, ["error": "\(error.reason.rawValue)"])
            }
            reviews.problem = error.message
        } else {
            reviews.problem = nil
        }
        if before != (reviews.launched, reviews.error) { publish() }
        guard let error = findings.unlocked, !reviews.isMissingLockReported else { return }
        reviews.isMissingLockReported = true
        effects.logger.log(
            .reviewsNotLocked,
            "The review history is used without a lock, so another promod with the same home may grant a review, too: \(error)",
            ["error": "storage"])
    }

    /// Carries out a request for a review, or says whether one would be granted.
    func review(
        _ parameters: ReviewParameters, of reference: CatalogReference?, isRequest: Bool,
        completion: @escaping Command.Completion
    ) throws(RequestError) {
        let page = parameters.page(in: try snapshot.find(reference, for: parameters.app).served?.catalog)
        let (policy, isOnline, now) = (configuration.review, effects.isOnline, effects.now())
        review(completion) { history in
            isRequest
                ? history.request(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
                : history.eligibility(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
        }
    }

    /// Records an app's first launch.
    func launch(_ app: String, completion: @escaping Command.Completion) {
        let (snapshot, now) = (snapshot, effects.now())
        review(completion) { history in
            history.launch(app, now: now) { id in snapshot.catalogs.contains { $0.served?.catalog.names(id) == true } }
        }
    }

    /// Forgets an app's launch and requests.
    func reset(_ app: String, completion: @escaping Command.Completion) {
        review(completion) { $0.reset(app) }
    }
}
