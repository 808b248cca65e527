package import PromoWire

/// Makes the bytes of a reply from a request and a snapshot, or says who has to answer. Only here, requests are dispatched.
package struct Responder: Sendable {
    /// The result of a request.
    package enum Answer: Equatable, Sendable {
        /// The reply is written.
        case written
        /// A list is written, and this is due because of it.
        case listed(Due)
        /// An error reply is written.
        case refused(ErrorReason)
        /// The reply is written, and these events happened.
        case writtenWithEvents([Event])
        /// The control plane has to answer; nothing is written.
        case command(Command)
        /// The list has to be written when the current fetch has ended; nothing is written.
        case listAfterFetch(ListParameters)
        /// The list has to be written when the pictures that are missing or old have been fetched; nothing is written.
        case listAfterIcons(ListParameters)
        /// The client subscribes to events of a catalog, or of all; nothing is written.
        case subscription(SubscribeParameters, of: CatalogReference?)
    }

    /// What is due because a client was answered.
    package struct Due: OptionSet, Sendable {
        package let rawValue: Int

        /// A set with its bits.
        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A fetch of pictures, because the client asked for them and some are missing or old, or may be.
        package static let icons = Due(rawValue: 1)
        /// A check whether the files in the cache are still there.
        package static let check = Due(rawValue: 2)
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
    private let recordedApps = RecordedApps()

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
        do {
            // The control plane refuses what waits together, since a refusal from here would overtake the replies that are awaited.
            let catalog =
                request.method.description.waitingGroup == .alone
                ? try snapshot.find(request.catalog) : snapshot.catalog
            switch request.method {
            case .list(let parameters):
                let isLoading = catalog.freshness(now: now).state == .loading
                if parameters.wait && isLoading { return .listAfterFetch(parameters) }
                if parameters.wait, parameters.icons, catalog.areIconsAwaited(now: now) {
                    return .listAfterIcons(parameters)
                }
                return list(parameters, of: catalog, in: snapshot, id: id, now: now, lines: &lines)
            case .tap(let parameters):
                let result = try tap(parameters, catalog, in: snapshot)
                lines.reply(to: id) { result.write(to: &$0) }
                return .writtenWithEvents([
                    .tap(
                        app: result.app, host: parameters.host, catalog: catalog.name, isSample: catalog.isSample)
                ])
            case .impression(let parameters):
                let events = try impression(parameters, catalog, in: snapshot)
                let result = ImpressionResult(emitted: events.count)
                lines.reply(to: id) { result.write(to: &$0) }
                return .writtenWithEvents(events)
            case .status:
                let result = status(snapshot, counters, now)
                lines.reply(to: id) { result.write(to: &$0) }
                if snapshot.isHistoryCheckDue(now: now) { return .listed(.check) }
            case .discover:
                lines.reply(to: id) { $0.value(json: OpenRPCDocument.json) }
            case .subscribe(let parameters):
                // By its address, it is that catalog, whatever name it gets; by a name alone, whichever catalog has that.
                switch request.catalog {
                case .address, .both: return .subscription(parameters, of: .address(catalog.identity))
                case .name, nil: return .subscription(parameters, of: request.catalog)
                }
            case .command(.reviewEligible(let parameters)):
                if let refusal = catalog.reviewRefusal {
                    let result = refusal.eligibility(of: parameters.app)
                    lines.reply(to: id) { result.write(to: &$0) }
                    return .written
                }
                // The history could not be read. It may have been fixed, and only the control plane can read it again.
                guard let reviews = snapshot.reviews else { return .command(.reviewEligible(parameters)) }
                let verdict = snapshot.reviewPolicy.judge(
                    parameters, reviews[parameters.app, in: catalog.identity],
                    page: parameters.page(in: catalog.served?.catalog),
                    isOnline: surroundings.isOnline, now: now)
                let result = verdict.eligibility(of: parameters.app)
                lines.reply(to: id) { result.write(to: &$0) }
            case .command(let command):
                switch command {
                case .icon(let app), .hide(let app): _ = try storePage(of: app, catalog, in: snapshot)
                case .refresh, .clear, .reload, .diagnose, .launch, .reviewEligible, .reviewRequest, .reviewReturn,
                    .reviewReset, .show:
                    break
                }
                return .command(command)
            }
            return .written
        } catch {
            lines.reply(to: id, error: error)
            return .refused(error.reason)
        }
    }

    // MARK: Methods

    /// Writes the list of a catalog as it is now, even during a fetch.
    package func list(
        _ parameters: ListParameters, of catalog: CatalogSnapshot, in snapshot: Snapshot, id: RequestID?,
        now: Timestamp, lines: inout ReplyLines
    ) -> Answer {
        let freshness = catalog.freshness(now: now)
        let language = parameters.language ?? .one(language)
        let served = catalog.served?.catalog
        let selection = served.map { select(parameters, of: $0, catalog, snapshot) }
        let withIcons = parameters.icons ? catalog.icons?.rows ?? served?.rowsWithIcons { _ in nil } : nil
        let reply = ListReply(
            freshness: freshness, retry: snapshot.owner == nil ? catalog.retry(now: now) : (false, nil),
            isHostKnown: selection?.isHostKnown,
            language: language,
            apps: selection.flatMap { served?.rows($0, in: language, limit: parameters.limit, from: withIcons) },
            emptiness: freshness.isUnconfigured
                ? .notConfigured
                : selection?.ranges.isEmpty == true
                    ? served.flatMap { emptiness(of: parameters, $0, catalog, snapshot) } : nil)
        lines.reply(to: id, result: reply.write)
        var due: Due = []
        if catalog.isCheckDue(now: now) { due.insert(.check) }
        if parameters.icons, catalog.areIconsDue(now: now) { due.insert(.icons) }
        return .listed(due)
    }

    private func emptiness(
        of parameters: ListParameters, _ catalog: PreparedCatalog, _ source: CatalogSnapshot, _ snapshot: Snapshot
    ) -> Emptiness? {
        guard parameters.hidden != .only else { return nil }
        if catalog.selection(host: parameters.host).ranges.isEmpty { return .rule }
        let others = catalog.selection(host: parameters.host, excluding: catalog.positions(of: parameters.exclude))
        if others.ranges.isEmpty { return .excluded }
        var unhidden = parameters
        unhidden.hidden = .with
        return select(unhidden, of: catalog, source, snapshot).ranges.isEmpty ? .launched : .hidden
    }

    /// Which apps a list has. If the review history cannot be read, no app counts as launched or hidden.
    private func select(
        _ parameters: ListParameters, of catalog: PreparedCatalog, _ source: CatalogSnapshot, _ snapshot: Snapshot
    ) -> PreparedCatalog.Selection {
        let records = snapshot.reviews ?? ReviewHistory()
        let leavesHiddenOut = parameters.hidden == .without && !records.hiddenApps(in: source.hidingIdentity).isEmpty
        guard parameters.unlaunched || leavesHiddenOut || parameters.hidden == .only else {
            return catalog.selection(
                host: parameters.host, excluding: catalog.positions(of: parameters.exclude))
        }
        let rule = RecordedApps.Rule(
            catalog: source.identity, hiding: source.hidingIdentity, unlaunched: parameters.unlaunched,
            hidden: parameters.hidden)
        let key = RecordedApps.Key(
            serial: snapshot.serial, rule: rule, host: parameters.host, exclude: parameters.exclude)
        return recordedApps.selection(key, of: catalog, records)
    }

    /// The reply to a list after its id, with the time in which it is valid until the next publication; nil if it must not be kept.
    package func keptList(
        _ parameters: ListParameters, of reference: CatalogReference?, snapshot: Snapshot, now: Timestamp
    ) -> (rest: [UInt8], validity: Range<Timestamp>)? {
        // What another promod keeps is looked at again with each reply that is made.
        guard snapshot.owner == nil, let catalog = snapshot.catalog(reference) else { return nil }
        let freshness = catalog.freshness(now: now)
        guard freshness.state == .loaded, !catalog.isCheckDue(now: now) else { return nil }
        var lines = ReplyLines()
        _ = list(parameters, of: catalog, in: snapshot, id: .null, now: now, lines: &lines)
        guard let rest = lines.rest(behind: .null) else { return nil }
        // The sample never expires. If the clock is set back to before the fetch, the reply is another.
        let start = freshness.fetchedAt ?? Timestamp(milliseconds: .min)
        let end = [freshness.expiresAt, catalog.checkDueAt].compactMap(\.self).min() ?? Timestamp(milliseconds: .max)
        return (rest, start..<max(start, end))
    }

    private func tap(
        _ parameters: TapParameters, _ catalog: CatalogSnapshot, in snapshot: Snapshot
    ) throws(RequestError) -> TapResult {
        let page =
            if let departed = catalog.departed[parameters.app] { departed } else {
                try storePage(of: parameters.app, catalog, in: snapshot)
            }
        return TapResult(
            app: parameters.app, appStoreID: page.appStoreID, storeURL: page.url,
            offlineMessage: surroundings.isOnline()
                ? nil : OfflineMessage.text(in: parameters.language ?? language, for: page.url))
    }

    /// All or none: if one app is unknown, the request is refused.
    private func impression(
        _ parameters: ImpressionParameters, _ catalog: CatalogSnapshot, in snapshot: Snapshot
    ) throws(RequestError) -> [Event] {
        var events: [Event] = []
        for id in parameters.apps {
            _ = try storePage(of: id, catalog, in: snapshot)
            events.append(
                .impression(app: id, host: parameters.host, catalog: catalog.name, isSample: catalog.isSample))
        }
        return events
    }

    private func status(_ snapshot: Snapshot, _ counters: QueryCounters, _ now: Timestamp) -> StatusResult {
        let catalog = snapshot.catalog.status(now: now)
        return StatusResult(
            process: surroundings.process, freshness: catalog.freshness, apps: catalog.apps,
            isOnline: surroundings.isOnline(), refresh: catalog.refresh, cache: catalog.cache, counters: counters,
            configuration: snapshot.configuration, owner: snapshot.owner, reviewsError: snapshot.reviewsError,
            catalogs: [catalog] + snapshot.others.map { $0.status(now: now) })
    }

    private func storePage(
        of id: String, _ catalog: CatalogSnapshot, in snapshot: Snapshot
    ) throws(RequestError) -> StorePage {
        guard let served = catalog.served?.catalog else {
            let text =
                catalog.isUnconfigured
                ? Unconfigured.text(hasOthers: !snapshot.others.isEmpty)
                : "There is no catalog yet; \"status\" reports why, and when promod tries again to fetch one."
            let other = snapshot.catalog(having: id).map { " The catalog \"\($0)\" has this app." }
            throw RequestError(.noCatalog, text + (other ?? ""))
        }
        guard let page = served.storePage(of: id) else {
            throw RequestError(
                .unknownApp,
                "No app in the catalog has the id \"\(id.shortened(to: 80))\"\(hint(about: id, served, in: snapshot))")
        }
        return page
    }

    /// What an unknown id was probably meant to be, as the end of a message.
    private func hint(about id: String, _ served: PreparedCatalog, in snapshot: Snapshot) -> String {
        if let other = snapshot.catalog(having: id) {
            return
                "; the catalog \"\(other)\" has it: add --catalog \(other), or \"catalog\":\"\(other)\" to a request."
        }
        return served.id(meantBy: id).map { ". Did you mean \"\($0)\"?" } ?? "; \"list\" shows those that are there."
    }
}
