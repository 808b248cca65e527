package import PromoWire

/// Makes the bytes of a reply from a request and a snapshot, or says who has to answer. Only here, requests are dispatched.
package struct Responder: Sendable {
    /// The result of a request.
    package enum Answer: Equatable, Sendable {
        /// The reply is written.
        case written
        /// The reply is written from an expired catalog, so a refresh is due.
        case writtenFromExpiredCatalog
        /// An error reply is written.
        case refused
        /// The reply is written, and these events happened.
        case writtenWithEvents([Event])
        /// The control plane has to answer; nothing is written.
        case command(Command)
        /// The list has to be written when the current fetch has ended; nothing is written.
        case listAfterFetch(ListParameters)
        /// The client subscribes to events; nothing is written.
        case subscription(SubscribeParameters)
    }

    /// Facts about the process and the network, which come from the effects.
    package struct Surroundings: Sendable {
        package var process: ProcessStatus
        /// Whether the kernel has a route to a global address.
        package var isOnline: @Sendable () -> Bool

        /// The process, and a closure that checks for a route.
        package init(process: ProcessStatus, isOnline: @escaping @Sendable () -> Bool) {
            self.process = process
            self.isOnline = isOnline
        }
    }

    private let language: Language
    private let surroundings: Surroundings

    /// A responder whose own language is used if a request names none.
    package init(language: Language, surroundings: Surroundings) {
        self.language = language
        self.surroundings = surroundings
    }

    /// The epoch of this run of the daemon.
    package var epoch: String { surroundings.process.epoch }

    /// Answers a request.
    package func respond(
        to request: Request, id: RequestID?, snapshot: Snapshot, counters: QueryCounters, now: Timestamp,
        lines: inout ReplyLines
    ) -> Answer {
        if let busy = snapshot.busy {
            lines.reply(to: id, error: busy)
            return .refused
        }
        do {
            switch request {
            case .list(let parameters):
                let isLoading = snapshot.catalog.freshness(now: now).state == .loading
                if parameters.wait && isLoading { return .listAfterFetch(parameters) }
                return list(parameters, id: id, snapshot: snapshot, now: now, lines: &lines)
            case .tap(let parameters):
                let result = try tap(parameters, snapshot)
                lines.reply(to: id) { result.write(to: &$0) }
                return .writtenWithEvents([.tap(app: result.app, host: parameters.host)])
            case .impression(let parameters):
                let events = try impression(parameters, snapshot)
                let result = ImpressionResult(emitted: events.count)
                lines.reply(to: id) { result.write(to: &$0) }
                return .writtenWithEvents(events)
            case .status:
                let result = status(snapshot, counters, now)
                lines.reply(to: id) { result.write(to: &$0) }
            case .reviewEligible(let parameters):
                // The history could not be read. It may have been fixed, and only the control plane can read it again.
                guard let reviews = snapshot.reviews else { return .command(.reviewEligible(parameters)) }
                let verdict = snapshot.reviewPolicy.judge(
                    parameters, reviews[parameters.app], page: parameters.page(in: snapshot.catalog.served?.catalog),
                    isOnline: surroundings.isOnline, now: now)
                let result = verdict.eligibility(of: parameters.app)
                lines.reply(to: id) { result.write(to: &$0) }
            case .discover:
                lines.reply(to: id) { $0.value(json: OpenRPCDocument.json) }
            case .subscribe(let parameters): return .subscription(parameters)
            case .launch(let parameters): return .command(.launch(parameters))
            case .reviewRequest(let parameters): return .command(.reviewRequest(parameters))
            case .reviewReset(let parameters): return .command(.reviewReset(parameters))
            case .refresh(let parameters): return .command(.refresh(parameters))
            case .clear: return .command(.clear)
            case .reload: return .command(.reload)
            }
            return .written
        } catch {
            lines.reply(to: id, error: error)
            return .refused
        }
    }

    // MARK: Methods

    /// Writes the list as it is now, even during a fetch.
    package func list(
        _ parameters: ListParameters, id: RequestID?, snapshot: Snapshot, now: Timestamp, lines: inout ReplyLines
    ) -> Answer {
        let freshness = snapshot.catalog.freshness(now: now)
        let language = parameters.language ?? .one(language)
        let catalog = snapshot.catalog.served?.catalog
        let selection = catalog?.selection(host: parameters.host)
        let reply = ListReply(
            freshness: freshness, retry: snapshot.catalog.retry(now: now), isHostKnown: selection?.isHostKnown,
            language: language,
            apps: selection.flatMap { catalog?.rows($0, in: language, limit: parameters.limit) })
        lines.reply(to: id, result: reply.write)
        return freshness.state == .cached ? .writtenFromExpiredCatalog : .written
    }

    /// The reply to a list after its id, with the time in which it is valid until the next publication; nil if it must not be kept.
    package func keptList(
        _ parameters: ListParameters, snapshot: Snapshot, now: Timestamp
    ) -> (rest: [UInt8], validity: Range<Timestamp>)? {
        let freshness = snapshot.catalog.freshness(now: now)
        guard snapshot.busy == nil, freshness.state == .loaded else { return nil }
        var lines = ReplyLines()
        _ = list(parameters, id: .null, snapshot: snapshot, now: now, lines: &lines)
        guard let rest = lines.rest(behind: .null) else { return nil }
        // The sample never expires. If the clock is set back to before the fetch, the reply is another.
        let start = freshness.fetchedAt ?? Timestamp(milliseconds: .min)
        let end = freshness.expiresAt ?? Timestamp(milliseconds: .max)
        return (rest, start..<max(start, end))
    }

    private func tap(_ parameters: TapParameters, _ snapshot: Snapshot) throws(RequestError) -> TapResult {
        let appStoreID =
            if let departed = snapshot.catalog.departed[parameters.app] { departed } else {
                try appStoreID(of: parameters.app, snapshot)
            }
        return TapResult(
            app: parameters.app, appStoreID: appStoreID, storeURL: PromoApp.storeURL(appStoreID),
            offlineMessage: surroundings.isOnline() ? nil : OfflineMessage.text(in: parameters.language ?? language))
    }

    /// All or none: if one app is unknown, the request is refused.
    private func impression(
        _ parameters: ImpressionParameters, _ snapshot: Snapshot
    ) throws(RequestError) -> [Event] {
        var events: [Event] = []
        for id in parameters.apps {
            _ = try appStoreID(of: id, snapshot)
            events.append(.impression(app: id, host: parameters.host))
        }
        return events
    }

    private func status(_ snapshot: Snapshot, _ counters: QueryCounters, _ now: Timestamp) -> StatusResult {
        StatusResult(
            process: surroundings.process, freshness: snapshot.catalog.freshness(now: now),
            apps: snapshot.catalog.served?.catalog.count ?? 0, isOnline: surroundings.isOnline(),
            refresh: snapshot.catalog.refresh, cache: snapshot.catalog.cache, counters: counters,
            configuration: snapshot.configuration)
    }

    private func appStoreID(of id: String, _ snapshot: Snapshot) throws(RequestError) -> String {
        guard let catalog = snapshot.catalog.served?.catalog else {
            throw RequestError(
                .noCatalog, "There is no catalog yet; \"status\" reports why, and when promod tries again to fetch one."
            )
        }
        guard let number = catalog.appStoreID(of: id) else {
            throw RequestError(
                .unknownApp,
                "No app in the catalog has the id \"\(id.shortened(to: 80))\"; \"list\" shows those that are there.")
        }
        return number
    }
}
