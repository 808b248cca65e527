import Logging
import PromoCore
import PromoWire

/// The fetch of a catalog: the origin's reply is read on the queue of intakes, and then served.
extension CatalogRefresher {
    func beginFetch(_ id: Machine.FetchID) {
        guard let url = assignment.url else { return }
        let request = OriginRequest(
            url: url, validators: held?.contents?.header.validators ?? Validators(), caFile: assignment.catalog.caFile,
            maximumBytes: assignment.catalog.maximumBytes, timeout: assignment.timeout, proxies: assignment.proxies,
            isSecondLook: machine.schedule.heldBack != nil)
        // Before the request, so that no crash forgets the attempt.
        saveSchedule()
        status.attempts += 1
        log(.fetchStarted, "Fetching \(url)", ["url": "\(url)"])
        let time = shared.effects.uptime()
        let cancel = origin.fetch(request) { [perform] reply, proxy in
            perform { refresher in
                guard refresher.machine.fetching == id else { return }
                refresher.proxy = proxy
                refresher.read(reply, refresher.age(of: reply), from: url, id)
            }
        }
        fetch.begin(at: time, cancel: cancel)
    }

    /// Cancels the fetch under way, or the one that is planned at once.
    func endFetch() {
        fetch.cancel()
        fetch = ActiveFetch()
    }

    /// What the verdict on a reply depends on.
    private struct Basis: Equatable {
        let generation: String?
        let trust: CatalogTrust
        let holdsBack: Bool
    }

    private var basis: Basis {
        Basis(
            generation: held?.generation, trust: assignment.trust,
            holdsBack: assignment.catalog.holdsBack && !fetch.isAccepting)
    }

    /// How old a reply is, by its own headers and those of the reply before it. Keeps what they show of the clock.
    private func age(of reply: OriginReply) -> Duration {
        guard let age = reply.age else { return .zero }
        let verdict = age.verdict(now: now(), before: machine.schedule.clock)
        machine.originDated(verdict.clock)
        status.clockAhead = verdict.isCertain ? verdict.clock?.ahead : nil
        return verdict.age
    }

    /// Has a reply read on the queue of intakes.
    private func read(_ reply: OriginReply, _ age: Duration, from url: HTTPSURL, _ id: Machine.FetchID) {
        guard machine.fetching == id else { return }
        let (basis, clears) = (basis, clears)
        let rule = HoldBackRule(
            isOn: basis.holdsBack, before: machine.schedule.heldBack, wait: assignment.policy.secondLook)
        let job = IntakeQueue.Job(
            reply: reply, age: age, url: url, generations: served.generations, trust: basis.trust,
            signatures: shared.signatures, rule: rule, now: now(), store: store)
        let token = shared.intakes.submit(job) { [perform] outcome in
            perform { refresher in
                // The basis of the verdict has changed, so the reply is judged again.
                guard basis == refresher.basis else { return refresher.read(reply, age, from: url, id) }
                refresher.fetchEnded(id, reply, outcome, isCleared: clears != refresher.clears)
            }
        }
        fetch.read(token)
    }

    /// - Parameter isCleared: whether a `clear` may have removed the file after it was stored.
    private func fetchEnded(
        _ id: Machine.FetchID, _ reply: OriginReply, _ outcome: IntakeQueue.Outcome, isCleared: Bool
    ) {
        let now = now()
        let end = outcome.intake.end(of: reply, isOnline: shared.effects.isOnline, now: now)
        guard machine.fetchEnded(id, end, now: now) else { return }
        status.lastDuration = fetch.beganAt.map { .milliseconds(shared.effects.uptime() - $0) }
        fetch = ActiveFetch()
        let failure = served.take(outcome, isCleared: isCleared, now: now)
        var result = outcome.intake.result(storeFailure: failure, next: machine.next?.at)
        result.redirectedTo = reply.address.flatMap(HTTPSURL.init)?.description
        result.generation = held?.generation
        if result.outcome == .failed { status.failures += 1 }
        advance()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.count, attempt: machine.schedule.attempt,
            next: machine.next?.at)
        if result.outcome == .updated, let count = held?.catalog.malformedLinks, count > 0 { log.linksIgnored(count) }
        if outcome.intake.accepted != nil { reportSignature() }
        answerWaiters(result)
    }
}

extension CatalogIntake {
    /// The result of the refresh, without the generation.
    /// - Parameter next: when the next refresh is planned.
    fileprivate func result(storeFailure: Failure?, next: Timestamp?) -> RefreshResult {
        switch self {
        case .updated: RefreshResult(outcome: .updated, generation: nil, error: storeFailure)
        case .unchanged: RefreshResult(outcome: .unchanged, generation: nil, error: storeFailure)
        case .heldBack(_, let failure):
            RefreshResult(outcome: .heldBack, generation: nil, error: failure, retryAt: next)
        case .failed(let failure): RefreshResult(outcome: .failed, generation: nil, error: failure, retryAt: next)
        }
    }
}
