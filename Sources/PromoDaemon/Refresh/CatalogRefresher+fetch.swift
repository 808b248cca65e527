import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// The fetch of a catalog: the origin's reply is read and stored by the intake's worker, and then served.
extension CatalogRefresher {
    func begin(_ fetch: RefreshSchedule.Fetch) {
        guard let url = assignment.url else { return }
        let validators = fetch.isConditional ? held?.contents?.header.validators : nil
        let request = OriginRequest(
            url: url, validators: validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: AppCatalog.maximumBytes, timeout: assignment.timeout, proxies: assignment.proxies)
        fetches += 1
        attempts += 1
        log(.fetchStarted, "Fetching \(url)", ["url": "\(url)"])
        cancelRequest = { [origin] in origin.rest() }
        origin.prepare(for: request)
        // Before the request, so that no crash forgets the attempt.
        saveSchedule { [number = fetches] refresher in
            if refresher.fetches == number { refresher.request(request) }
        }
    }

    private func request(_ request: OriginRequest) {
        cancelRequest = origin.fetch(request) { [perform, number = fetches] reply in
            perform { refresher in
                guard refresher.fetches == number else { return }
                refresher.read(reply, from: request.url)
            }
        }
    }

    /// Cancels the fetch under way: it does not count, and its result is dropped. Those who wait ask again.
    func cancelFetch() {
        cancelRequest()
        cancelRequest = {}
        fetches += 1
        schedule.cancelled(now: keeper.effects.now())
        answerWaiters(nil)
    }

    /// Has a reply read and an accepted catalog stored.
    private func read(_ reply: OriginReply, from url: HTTPSURL) {
        let now = keeper.effects.now()
        cancelRequest = {}
        keeper.intake.async { [store, log, held, perform, number = fetches, languages = keeper.lists.languages] in
            let intake = CatalogIntake(reply, held: held, from: url, now: now)
            var accepted = intake.accepted
            accepted?.catalog.makeLists(in: languages)
            let findings = accepted?.contents.map { store.store($0, log) }
            perform { [accepted, findings] refresher in
                if let findings { refresher.take(findings) }
                guard refresher.fetches == number else { return }
                refresher.ended(reply, intake, accepted, findings?.problem, arrival: now)
            }
        }
    }

    /// - Parameters:
    ///   - accepted: the catalog to serve; nil if there is none.
    ///   - refusal: the failure if the disk refused it.
    private func ended(
        _ reply: OriginReply, _ intake: CatalogIntake, _ accepted: HeldCatalog?, _ refusal: Failure?, arrival: Timestamp
    ) {
        let now = keeper.effects.now()
        if let accepted { held = accepted }
        var result = RefreshResult(outcome: .updated, generation: held?.generation, error: refusal)
        switch intake {
        case .updated, .unchanged:
            if case .unchanged = intake { result.outcome = .unchanged }
            let isWhole = reply.httpStatus == 200
            schedule.succeeded(
                result.outcome, isWhole: isWhole, movedTo: reply.movedTo, arrival: arrival, now: now)
            icons.catalogFetched(held?.catalog)
        case .failed(let failure):
            schedule.failed(failure, status: reply.httpStatus, retryAfter: reply.retryAfter, now: now)
            (result.outcome, result.error, result.retryAt) = (.failed, failure, schedule.next?.at)
        }
        result.redirectedTo = reply.address
        advance()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.count, failures: schedule.record.failures,
            next: schedule.next?.at)
        answerWaiters(result)
    }
}

extension CatalogLog {
    /// The record of a fetch that has ended.
    fileprivate func fetchEnded(
        _ result: RefreshResult, reply: OriginReply, apps: Int?, failures: Int, next: Timestamp?
    ) {
        var metadata: Logger.Metadata = [
            "generation": "\(result.generation ?? "")", "attempt": "\(failures)",
            "next-refresh": "\(next?.rfc3339 ?? "")",
        ]
        if let status = reply.httpStatus { metadata["http-status"] = "\(status)" }
        if let address = result.redirectedTo { metadata["redirected-to"] = "\(address)" }
        let sender = result.redirectedTo.map { " It came from \($0)." } ?? ""
        let upcoming = sender + (next.map { " Next refresh \(LocalTime.short($0))." } ?? "")
        switch result.outcome {
        case .updated:
            let content = "\((apps ?? 0).counting("app")), generation \(result.generation ?? "none")"
            self(.refreshUpdated, "The catalog was updated: \(content).\(upcoming)", metadata)
        case .unchanged:
            let remark = result.error.map { " " + $0.message } ?? ""
            self(.refreshUnchanged, "The catalog is unchanged.\(remark)\(upcoming)", metadata)
        case .failed, .started, .deferred:
            let kept = apps == nil ? "there is no catalog to serve" : "the old catalog is kept"
            metadata["error"] = "\(result.error?.code.rawValue ?? result.outcome.rawValue)"
            self(
                .refreshFailed, "The refresh failed, and \(kept). \(result.error?.message ?? "")\(upcoming)", metadata)
        }
    }
}
