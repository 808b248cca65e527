import Dispatch
import Logging
import PromoCore
import PromoWire

/// Carries out the requests about launches and reviews, each of which is one job on the file of the history. It belongs to the loop's
/// thread.
final class ReviewKeeper {
    private typealias Job = ReviewFile.Job

    /// The number of apps from which a history takes megabytes while it is read, which glibc would keep for a next use.
    private static let large = 1000

    private unowned let keeper: Keeper
    private let file: ReviewFile
    /// The ids of the launched apps, which lists may leave out.
    private(set) var launched: Set<String> = []
    /// How often that set has changed.
    private(set) var launches = 0
    /// That a damaged history was set aside, for as long as it is there.
    private var damage: String?
    /// Why the last job failed; nil if it succeeded.
    private var problem: String?
    /// Whether it was logged that the filesystem confirms no write, and that it has no locks.
    private var (isMissingSyncReported, isMissingLockReported) = (false, false)

    init(_ keeper: Keeper, file: ReviewFile) {
        (self.keeper, self.file) = (keeper, file)
    }

    /// What the status says.
    var error: String? { problem ?? damage }

    // MARK: Requests

    /// Carries out a request for a review, or says whether one would be granted.
    func review(
        _ parameters: ReviewParameters, of reference: CatalogReference?, isRequest: Bool,
        completion: @escaping Command.Completion
    ) throws(RequestError) {
        let page = parameters.page(in: try keeper.snapshot.find(reference, for: parameters.app).served?.catalog)
        let (policy, isOnline, now) = (
            keeper.catalogs.configuration.review, keeper.isOnline, keeper.effects.now()
        )
        change(completion) { history in
            isRequest
                ? history.request(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
                : history.eligibility(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
        }
    }

    /// Records an app's first launch.
    func launch(_ app: String, completion: @escaping Command.Completion) {
        let (snapshot, now) = (keeper.snapshot, keeper.effects.now())
        change(completion) { history in
            history.launch(app, now: now) { id in snapshot.catalogs.contains { $0.served?.catalog.names(id) == true } }
        }
    }

    /// Forgets an app's launch and requests.
    func reset(_ app: String, completion: @escaping Command.Completion) {
        change(completion) { $0.reset(app) }
    }

    // MARK: Jobs

    /// Reads the history, as at a start.
    func read() {
        keeper.disk.async { [inbox = keeper.inbox, file, deadline = ReviewFile.deadline] in
            let (damage, job) = (file.earlierDamage, file.job(until: deadline) { _ in })
            inbox.submit { keeper in
                keeper.reviews.damage = damage
                keeper.reviews.take(job)
            }
        }
    }

    /// A job that finds out whether the history can be used again, for the queue of the disk; nil if the last job succeeded.
    var check: (@Sendable () -> @Sendable (Keeper) -> Void)? {
        guard problem != nil else { return nil }
        return { [file] in
            // Nobody waits here for a lock that another program holds.
            let job = file.job(until: PollLoop.clock()) { _ in }
            return { $0.reviews.take(job) }
        }
    }

    /// Carries a request out on the history, publishes what lists and the status tell of it, and completes the request.
    private func change<Answer: MethodResult>(
        _ completion: @escaping Command.Completion, _ body: @escaping @Sendable (inout ReviewHistory) -> Answer
    ) {
        keeper.disk.async { [inbox = keeper.inbox, file, deadline = ReviewFile.deadline] in
            let job = file.job(until: deadline, body)
            inbox.submit { keeper in
                keeper.reviews.take(job)
                switch job.answer {
                case .success(let answer): completion(.result(answer))
                case .failure(let error): completion(.refused(error))
                }
            }
        }
    }

    /// Takes what a job has found.
    private func take(_ job: Job<some Sendable>) {
        let (before, findings, logger) = ((launches, error), job.findings, keeper.effects.logger)
        if let launched = findings.launched, launched != self.launched {
            (self.launched, launches) = (launched, launches + 1)
        }
        if launched.count > Self.large { keeper.giveBackMemory() }
        if let damage = findings.damage {
            self.damage = damage
            logger.log(.reviewsSetAside, damage, ["error": "storage"])
        }
        if let error = findings.notDurable, !isMissingSyncReported {
            isMissingSyncReported = true
            logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(error)",
                ["error": "storage"])
        }
        if case .failure(let error) = job.answer {
            if problem != error.message {
                logger.log(.reviewsNotStored, error.message, ["error": "\(error.reason.rawValue)"])
            }
            problem = error.message
        } else {
            problem = nil
        }
        if before != (launches, error) { keeper.publish() }
        guard let error = findings.unlocked, !isMissingLockReported else { return }
        isMissingLockReported = true
        logger.log(
            .reviewsNotLocked,
            "The review history is used without a lock, so another promod with the same home may grant a review, too: \(error)",
            ["error": "storage"])
    }
}
