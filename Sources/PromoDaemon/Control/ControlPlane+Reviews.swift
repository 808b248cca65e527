import CLinux
import Logging
import PromoCore
import PromoWire

/// The requests about launches and reviews, which are carried out one by one on the file of the history.
extension ControlPlane {
    /// What the jobs on the file have found.
    struct Reviews {
        let file: ReviewFile
        /// The ids of the launched apps, which lists may leave out.
        var launched: Set<String> = []
        /// That a damaged history was set aside, for as long as it is there.
        var damage: String?
        /// Why the last job failed; nil if it succeeded.
        var problem: String?
        var isMissingLockReported = false

        /// What the status says.
        var error: String? { problem ?? damage }
    }

    /// Reads the history, and forgets what was found before: a person may have fixed it. The caller publishes.
    func readReviews() {
        reviews.damage = reviews.file.setAside.map {
            "A damaged review history was set aside as \($0). Delete that file when you have seen it, and reload promod."
        }
        _ = try? carryOut { _ in }
    }

    /// Carries a request out on the history, and publishes what lists and the status tell of it.
    /// - Throws: `not-stored`; then nothing has changed.
    func review<Answer>(_ body: (inout ReviewHistory) -> Answer) throws(RequestError) -> Answer {
        let before = (reviews.launched, reviews.error)
        defer { if before != (reviews.launched, reviews.error) { publish() } }
        return try carryOut(body)
    }

    private func carryOut<Answer>(_ body: (inout ReviewHistory) -> Answer) throws(RequestError) -> Answer {
        var findings = ReviewFile.Findings()
        defer { note(findings) }
        do throws(RequestError) {
            let answer = try reviews.file.change(&findings, body)
            reviews.problem = nil
            return answer
        } catch {
            if reviews.problem != error.message {
                effects.logger.log(.reviewsNotStored, error.message, ["error": "\(error.reason.rawValue)"])
            }
            reviews.problem = error.message
            throw error
        }
    }

    /// The number of apps from which a history takes megabytes while it is read, which glibc would keep for a next use.
    private static let large = 1000

    private func note(_ findings: ReviewFile.Findings) {
        if let launched = findings.launched { reviews.launched = launched }
        if reviews.launched.count > Self.large { promod_give_back_memory() }
        if let damage = findings.damage {
            reviews.damage = damage
            effects.logger.log(.reviewsSetAside, damage, ["error": "storage"])
        }
        if let error = findings.notDurable {
            effects.logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(error)",
                ["error": "storage"])
        }
        guard let error = findings.unlocked, !reviews.isMissingLockReported else { return }
        reviews.isMissingLockReported = true
        effects.logger.log(
            .reviewsNotLocked,
            "The review history is used without a lock, so another promod with the same home may grant a review, too: \(error)",
            ["error": "storage"])
    }

    /// Carries out a request for a review, or says whether one would be granted.
    func review(
        _ parameters: ReviewParameters, of reference: CatalogReference?, isRequest: Bool
    ) throws(RequestError) -> ReviewResult {
        let page = parameters.page(in: try publication.current.find(reference, for: parameters.app).served?.catalog)
        let (policy, isOnline, now) = (configuration.review, effects.isOnline, effects.now())
        return try review { history in
            isRequest
                ? history.request(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
                : history.eligibility(parameters, policy: policy, page: page, isOnline: isOnline, now: now)
        }
    }

    /// Records an app's first launch.
    func launch(_ app: String) throws(RequestError) -> LaunchResult {
        let (snapshot, now) = (publication.current, effects.now())
        return try review { history in
            history.launch(app, now: now) { id in snapshot.catalogs.contains { $0.served?.catalog.names(id) == true } }
        }
    }
}
