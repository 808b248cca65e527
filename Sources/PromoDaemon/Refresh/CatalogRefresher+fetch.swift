import Logging
import PromoCore
import PromoWire

/// The fetch of a catalog: the origin's reply is read on the queue of intakes, and then served.
extension CatalogRefresher {
    /// A fetch under way.
    struct ActiveFetch {
        private enum Step {
            case requesting(cancel: @Sendable () -> Void)
            case reading(IntakeQueue.Token)
        }

        /// When the request began, on the monotonic clock.
        let beganAt: Milliseconds
        private var step: Step

        init(beganAt: Milliseconds, cancel: @escaping @Sendable () -> Void) {
            (self.beganAt, step) = (beganAt, .requesting(cancel: cancel))
        }

        /// The intake of the reply; nil before it begins.
        var intake: IntakeQueue.Token? {
            get { if case .reading(let token) = step { token } else { nil } }
            set { if let newValue { step = .reading(newValue) } }
        }

        func cancel() {
            switch step {
            case .requesting(let cancel): cancel()
            case .reading(let token): token.cancel()
            }
        }
    }

    func begin(_ fetch: RefreshSchedule.Fetch) {
        guard let url = assignment.url else { return }
        // Before the request, so that no crash forgets the attempt.
        saveSchedule()
        let validators = fetch.isConditional ? held?.contents?.header.validators : nil
        let request = OriginRequest(
            url: url, validators: validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: AppCatalog.maximumBytes, timeout: assignment.timeout, proxies: assignment.proxies)
        fetches += 1
        status.attempts += 1
        log(.fetchStarted, "Fetching \(url)", ["url": "\(url)"])
        let time = shared.effects.uptime()
        let cancel = origin.fetch(request) { [perform, number = fetches] reply, proxy in
            perform { refresher in
                guard refresher.fetches == number else { return }
                refresher.proxy = proxy
                refresher.read(reply, from: url)
            }
        }
        self.fetch = ActiveFetch(beganAt: time, cancel: cancel)
    }

    /// Cancels the fetch under way, whose result is dropped.
    func cancelFetch() {
        fetch?.cancel()
        fetch = nil
        fetches += 1
    }

    /// Has a reply read on the queue of intakes.
    private func read(_ reply: OriginReply, from url: HTTPSURL) {
        let now = shared.effects.now()
        let job = IntakeQueue.Job(reply: reply, url: url, held: held, now: now, store: store)
        fetch?.intake = shared.intakes.submit(job) { [perform, number = fetches] outcome in
            perform { refresher in
                if refresher.fetches == number { refresher.ended(reply, outcome, arrival: now) }
            }
        }
    }

    private func ended(_ reply: OriginReply, _ outcome: IntakeQueue.Outcome, arrival: Timestamp) {
        let now = shared.effects.now()
        status.lastDuration = fetch.map { .milliseconds(shared.effects.uptime() - $0.beganAt) }
        fetch = nil
        if let accepted = outcome.accepted { held = accepted }
        var result = RefreshResult(outcome: .updated, generation: held?.generation, error: outcome.storeFailure)
        switch outcome.intake {
        case .updated, .unchanged:
            if case .unchanged = outcome.intake { result.outcome = .unchanged }
            let isWhole = reply.httpStatus == 200
            schedule.succeeded(result.outcome, isWhole: isWhole, arrival: arrival, now: now)
        case .failed(let failure):
            status.failures += 1
            let delay = reply.retryAfter(now: now)
            schedule.failed(failure, status: reply.httpStatus, retryAfter: delay, now: now)
            (result.outcome, result.error, result.retryAt) = (.failed, failure, schedule.next?.at)
        }
        result.redirectedTo = reply.address.flatMap(HTTPSURL.init)?.description
        advance()
        log.fetchEnded(
            result, reply: reply, apps: held?.catalog.count, failures: schedule.record.failures,
            next: schedule.next?.at)
        if result.outcome == .updated, let count = held?.catalog.malformedLinks, count > 0 { log.linksIgnored(count) }
        answerWaiters(result)
    }
}
