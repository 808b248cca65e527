import Dispatch
package import PromoCore
package import PromoWire

/// What clients ask for that has to wait.
extension ControlPlane {
    private static let notRunning = RequestError(.busy, "promod is starting or stopping; try again in a moment.")

    /// Carries out a command; the completion is called on this plane's queue: at once, with those of other commands, or when a fetch has
    /// ended.
    package func carryOut(
        _ command: Command, of reference: CatalogReference? = nil, completion: @escaping Command.Completion
    ) {
        guard case .running = life else { return completion(.refused(Self.notRunning)) }
        checkLock()
        if let owner, let reply = reply(to: command, of: reference, besides: owner) { return completion(reply) }
        do {
            switch command {
            case .refresh(let parameters):
                let catalog = try find(reference)
                let noOrigin = noOrigin(catalog)
                refreshers[catalog.name]?.refresh(parameters, noOrigin: noOrigin, completion: completion)
            case .clear:
                try refreshers[find(reference).name]?.clear()
                completion(.result(ClearResult()))
            case .reload:
                gather { $0.reloads.append(completion) }
            case .diagnose(let file):
                guard let file else { return gather { $0.diagnoses.append(completion) } }
                completion(.result(DiagnoseResult([TrustedCertificates.diagnosis(ofUnread: file)])))
            case .icon(let app):
                let name = try find(reference).name
                let icon = refreshers[name]?.icon(of: app)
                completion(.result(icon ?? IconResult(app: app, picture: nil)))
            case .launch(let app):
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    try reviews.launch(app, in: catalog.identity, now: now)
                }
            case .reviewEligible(let parameters):
                let app = parameters.app
                try review(app, reference, completion) { (reviews, catalog, now) throws(RequestError) in
                    if let refusal = catalog.reviewRefusal { return refusal.eligibility(of: app) }
                    let verdict = configuration.review.judge(
                        parameters, try reviews.record(of: app, in: catalog.identity),
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                    return verdict.eligibility(of: app)
                }
            case .reviewRequest(let parameters):
                try review(parameters.app, reference, completion) {
                    (reviews, catalog, now) throws(RequestError) in
                    if let refusal = catalog.reviewRefusal { return refusal.refusal(of: parameters.app) }
                    return try reviews.request(
                        parameters, in: catalog.identity, policy: configuration.review,
                        page: parameters.page(in: catalog.served?.catalog), isOnline: effects.isOnline, now: now)
                }
            case .reviewReturn(let parameters):
                try review(parameters.app, reference, completion) {
                    (reviews, catalog, now) throws(RequestError) in
                    try reviews.returnRequest(parameters, in: catalog.identity, now: now)
                }
            case .reviewReset(let app):
                try review(app, reference, completion) { (reviews, catalog, _) throws(RequestError) in
                    try reviews.reset(app, in: catalog.identity)
                }
            case .hide(let app), .show(let app):
                try review(app, reference, completion) { (reviews, catalog, _) throws(RequestError) in
                    try reviews.setHidden(command == .hide(app: app), app, in: catalog.hidingIdentity)
                }
            }
        } catch {
            completion(.refused(error))
        }
    }

    /// The reply to a command while another promod keeps the cache; nil if the command neither writes nor fetches.
    private func reply(
        to command: Command, of reference: CatalogReference?, besides owner: CacheOwner
    ) -> Command.Reply? {
        switch command {
        case .icon, .reload, .diagnose: return nil
        case .launch(let app):
            let catalog = publication.current.catalog(reference)
            let record = catalog.flatMap { reviewReader.history?[app, in: $0.identity] }
            if let time = record?.firstLaunch {
                return .result(LaunchResult(app: app, firstLaunch: time, isRecorded: false))
            }
        case .reviewEligible:
            // With a history it has been answered already.
            if let problem = reviewReader.problem { return .refused(RequestError(.notStored, problem)) }
        case .refresh, .clear, .reviewRequest, .reviewReturn, .reviewReset, .hide, .show: break
        }
        return .refused(
            RequestError(
                .busy,
                "Only \(owner) can do that, because it keeps the cache; this one reads it, and takes over when that one ends."
            ))
    }

    /// Calls back on this plane's queue when the fetch of a catalog that is under way has ended, or at once if there is none.
    package func awaitFetch(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.awaitFetch(completion)
    }

    /// Calls back on this plane's queue when the pictures of a catalog that are missing or old have been fetched, or at once if there
    /// are none.
    package func awaitIcons(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.awaitIcons(completion)
    }

    func refresher(of reference: CatalogReference?) -> CatalogRefresher? {
        guard case .running = life, let catalog = publication.current.catalog(reference) else { return nil }
        return refreshers[catalog.name]
    }

    /// A client was answered from a catalog, and this is due because of it.
    package func served(_ name: String, due: Responder.Due) {
        guard case .running = life else { return }
        if due.contains(.check) { checkFiles() }
        guard let refresher = refreshers[name] else { return }
        if due.contains(.check) { refresher.checkFiles() }
        if due.contains(.icons) { refresher.iconsAsked() }
    }

    /// A client has asked, so that a review history that somebody has replaced, damaged or mended is seen, and a lock that is gone.
    private func checkFiles() {
        if lock == nil { takeLock() } else { checkLock() }
        guard owner == nil else { return }
        reviewsCheckedAt = effects.now()
        if reviews.isToBeRead { _ = try? reviews.prepare() }
        publish()
    }

    /// The catalog that a command names. A snapshot is published whenever one changes, so the latest is as things are.
    private func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try publication.current.find(reference)
    }

    /// What this process can use, which in its sandbox may be less than what a shell can.
    private func diagnose() -> [Diagnosis] {
        // A person may have fixed it.
        if owner == nil { _ = try? reviews.prepare() }
        publish()
        let certificates =
            [configuration.catalog.caFile.map(TrustedCertificates.diagnosis)]
            + kept.others.map { catalog in
                catalog.configuration.caFile.map { TrustedCertificates.diagnosis(of: $0).about(catalog.name) }
            }
        return effects.diagnose() + certificates.compactMap(\.self)
    }

    /// Runs a command on the review history. What it changes is on disk and published before it is answered.
    func review(
        _ app: String, _ reference: CatalogReference?, _ completion: @escaping Command.Completion,
        _ body: (inout ReviewStore, CatalogSnapshot, _ now: Timestamp) throws(RequestError) -> any MethodResult
    ) throws(RequestError) {
        let catalog = try find(reference)
        let result: any MethodResult
        do throws(RequestError) {
            result = try body(&reviews, catalog, effects.now())
        } catch {
            publish()
            throw error
        }
        guard reviews.isStored(app, in: catalog.identity), reviews.isStored(app, in: catalog.hidingIdentity) else {
            return gather { gathered in
                gathered.reviews.append((result, completion))
                if let result = result as? ReviewResult, result.question != .eligible, result.reasons.isEmpty {
                    gathered.hasGrant = true
                }
            }
        }
        if reviews.isBehind { gather { _ in } }
        publish()
        completion(.result(result))
    }

    // MARK: Commands that came together

    /// Commands that wait for the disk. Those that came together wait for it once: if each of a thousand did so by itself, others would
    /// have to wait for all of that.
    struct Gathered {
        var reloads: [Command.Completion] = []
        var diagnoses: [Command.Completion] = []
        var reviews: [(result: any MethodResult, completion: Command.Completion)] = []

        /// Whether a grant waits, for which the history is written at once.
        var hasGrant = false
        /// Whether they will be answered when those that were handed over before have been carried out.
        var isPlanned = false
        /// Whether they will be answered when the history may be written again.
        var isDelayed = false
    }

    /// Lets a command wait until those that were handed over before have been carried out.
    func gather(_ change: (inout Gathered) -> Void) {
        change(&gathered)
        guard !gathered.isPlanned else { return }
        gathered.isPlanned = true
        perform { plane in
            plane.gathered.isPlanned = false
            plane.answerGathered()
        }
    }

    func answerGathered() {
        let reloads = gathered.reloads
        gathered.reloads = []
        if !reloads.isEmpty {
            let reply = reloaded()
            for completion in reloads { completion(reply) }
        }
        let diagnoses = gathered.diagnoses
        gathered.diagnoses = []
        if !diagnoses.isEmpty {
            let reply = Command.Reply.result(DiagnoseResult(diagnose()))
            for completion in diagnoses { completion(reply) }
        }
        guard !gathered.reviews.isEmpty || reviews.isBehind else { return }
        let delay = writePace.take(now: effects.uptime())
        if delay > 0, !gathered.hasGrant, life == .running { return answerLater(in: delay) }
        let taken = gathered
        (gathered.reviews, gathered.hasGrant) = ([], false)
        var failure: RequestError?
        do { try reviews.store() } catch { failure = error }
        publish()
        for (result, completion) in taken.reviews {
            completion(failure.map(Command.Reply.refused) ?? .result(result))
        }
    }

    private func answerLater(in delay: Milliseconds) {
        guard !gathered.isDelayed else { return }
        gathered.isDelayed = true
        executor.queue.asyncAfter(
            deadline: .now() + .milliseconds(Int(delay)),
            execute: entry { plane in
                plane.gathered.isDelayed = false
                plane.answerGathered()
            })
    }

    private func reloaded() -> Command.Reply {
        guard case .running = life else { return .refused(Self.notRunning) }
        do { return .result(try reload()) } catch { return .refused(error) }
    }
}
