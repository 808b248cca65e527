import Dispatch
package import PromoCore
package import PromoWire

/// The commands of clients, which have to wait.
extension ControlPlane {
    static let notRunning = RequestError(.busy, "promod is starting or stopping; try again in a moment.")

    /// Carries out a command. The completion is called on this plane's queue: at once, with the group's commit, or when a fetch has ended.
    package func carryOut(
        _ command: Command, of reference: CatalogReference? = nil, completion: @escaping Command.Completion
    ) {
        guard case .running = life else { return completion(.refused(Self.notRunning)) }
        let now = effects.now()
        do throws(RequestError) {
            switch command {
            case .refresh(let parameters):
                let catalog = try find(reference)
                let isPossible = refreshers[catalog.name]?.refresh(parameters) { [weak self] result in
                    if let result { return completion(.result(result)) }
                    // The catalog's file was changed or removed: the request means what is kept now.
                    guard let self else { return completion(.refused(Self.notRunning)) }
                    perform { $0.carryOut(command, of: reference, completion: completion) }
                }
                if isPossible == false { throw noOrigin(catalog) }
            case .clear:
                try refreshers[find(reference).name]?.clear()
                completion(.result(ClearResult()))
            case .reload:
                join { $0.reloads.append(completion) }
            case .diagnose(let file):
                guard let file else { return join { $0.diagnoses.append(completion) } }
                completion(.result(DiagnoseResult([TrustedCertificates.diagnosis(ofUnread: file)])))
            case .icon(let app):
                let icon = try refreshers[find(reference).name]?.icons.icon(of: app)
                completion(.icon(icon ?? IconReply(app: app, picture: nil)))
            case .launch(let app):
                try review(app, find(reference), completion) { try $0.launch($1, now: now, isNamed: isNamed) }
            case .reviewEligible(let parameters):
                let catalog = try find(reference)
                if let refusal = catalog.reviewRefusal {
                    return completion(.result(refusal.eligibility(of: parameters.app)))
                }
                let (policy, page) = (configuration.review, parameters.page(in: catalog.served?.catalog))
                try review(parameters.app, catalog, completion) { ledger, subject in
                    policy.judge(
                        parameters, ledger.history[subject], page: page, isOnline: effects.isOnline, now: now
                    ).eligibility(of: subject.app)
                }
            case .reviewRequest(let parameters):
                let catalog = try find(reference)
                if let refusal = catalog.reviewRefusal {
                    return completion(.result(refusal.refusal(of: parameters.app)))
                }
                let (policy, page) = (configuration.review, parameters.page(in: catalog.served?.catalog))
                try review(parameters.app, catalog, completion) {
                    try $0.request(
                        parameters, of: $1, policy: policy, page: page, isOnline: effects.isOnline, now: now)
                }
            case .reviewReset(let app): try review(app, find(reference), completion) { try $0.reset($1) }
            }
        } catch {
            completion(.refused(error))
        }
    }

    /// Calls back on this plane's queue when a catalog's fetch under way has ended, or at once if there is none.
    package func awaitFetch(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        refresher.awaitFetch(completion)
    }

    /// Calls back on this plane's queue when a catalog's missing and old icons have been fetched, or at once if there are none.
    package func awaitIcons(of reference: CatalogReference?, _ completion: @escaping @Sendable () -> Void) {
        guard let refresher = refresher(of: reference) else { return completion() }
        if refresher.snapshot.isCheckDue(now: effects.now()) { refresher.checkFiles() }
        refresher.icons.await(completion)
    }

    func refresher(of reference: CatalogReference?) -> CatalogRefresher? {
        guard case .running = life, let catalog = publication.current.catalog(reference) else { return nil }
        return refreshers[catalog.name]
    }

    /// Does what is due because a client was answered from a catalog.
    package func served(_ name: String, due: Answer.Due) {
        guard case .running = life else { return }
        if due.contains(.check) { checkFiles() }
        guard let refresher = refreshers[name] else { return }
        if due.contains(.check) { refresher.checkFiles() }
        if due.contains(.icons) { refresher.icons.asked() }
        if due.contains(.refresh) { refresher.answered() }
    }

    /// Checks the review history, whose file somebody may have replaced, damaged or fixed.
    private func checkFiles() {
        reviewsCheckedAt = effects.now()
        reviews.check()
        publish()
    }

    /// The catalog that a command names, in the latest snapshot: one is published after each change.
    private func find(_ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try publication.current.find(reference)
    }

    /// What this process can use, which in its sandbox may be less than a shell can.
    func diagnose() -> [Diagnosis] {
        // A person may have fixed the history.
        reviews.check()
        publish()
        let certificates =
            [configuration.catalog.caFile.map(TrustedCertificates.diagnosis)]
            + kept.others.map { catalog in
                catalog.configuration.caFile.map { TrustedCertificates.diagnosis(of: $0).about(catalog.name) }
            }
        return effects.diagnose() + certificates.compactMap(\.self)
    }

    /// Whether a catalog names an app now; nil if the catalog serves nothing.
    private func isNamed(_ subject: ReviewHistory.Subject) -> Bool? {
        let catalog = publication.current.catalogs.first { $0.identity == subject.catalog }
        return catalog?.served.map { $0.catalog.names(subject.app) }
    }

    /// Runs a command on the review history, and answers it when its change is on disk and published.
    private func review(
        _ app: String, _ catalog: CatalogSnapshot, _ completion: @escaping Command.Completion,
        _ body: (inout ReviewLedger, ReviewHistory.Subject) throws -> any MethodResult
    ) throws(RequestError) {
        let subject = ReviewHistory.Subject(app, in: catalog.identity)
        let result: any MethodResult
        do throws(RequestError) {
            result = try reviews.change { try body(&$0, subject) }
        } catch {
            publish()
            throw error
        }
        guard reviews.isStored(subject) else {
            return join { group in
                group.reviews.append((result, completion))
                if let result = result as? ReviewResult, result.question != .eligible, result.reasons.isEmpty {
                    group.hasGrant = true
                }
            }
        }
        if reviews.isBehind { commitSoon() }
        publish()
        completion(.result(result))
    }
}
