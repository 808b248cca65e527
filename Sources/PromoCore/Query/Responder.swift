package import PromoWire

/// Writes the reply to a request from a snapshot, or says what the reply waits for. Requests are dispatched only here.
package struct Responder: Sendable {
    private static let document = SharedBytes(OpenRPCDocument.json)

    private let language: Language
    /// A status with what no catalog determines.
    package var status: StatusResult
    /// Whether the kernel has a route to a global address.
    private let isOnline: @Sendable () -> Bool
    private var rows = ListRows.Cache()

    /// Creates a responder whose language is used if a request names none.
    package init(language: Language, status: StatusResult, isOnline: @escaping @Sendable () -> Bool) {
        (self.language, self.status, self.isOnline) = (language, status, isOnline)
    }

    /// A snapshot is published.
    package mutating func published(_ snapshot: Snapshot) { rows.published(snapshot) }

    /// Answers a request.
    /// - Parameter after: the event that the request has waited for; nil at first.
    package mutating func respond(
        to request: Request, id: RequestID?, snapshot: Snapshot, now: Timestamp, after: Answer.Later? = nil,
        output: inout OutputQueue
    ) -> Answer {
        var events: [Event] = []
        // The files of catalogs may be read before its catalog is found.
        if case .command(.refresh(let parameters)) = request.method { return .later(.command(.refresh(parameters))) }
        do {
            let catalog = try snapshot.find(request.catalog, for: request.method.host)
            switch request.method {
            case .list(let parameters):
                if parameters.wait, after == nil, catalog.awaitsFetch(now: now) {
                    return .later(.fetch)
                }
                output.reply(to: id) { list(parameters, of: catalog, in: snapshot, now: now, to: &$0) }
            case .tap(let parameters):
                let result = try tap(parameters, catalog)
                output.reply(to: id, result)
                events = [
                    .tap(app: result.app, host: parameters.host, catalog: catalog.name, isSample: catalog.isSample)
                ]
            case .impression(let parameters):
                events = try impression(parameters, catalog)
                output.reply(to: id, ImpressionResult(emitted: events.count))
            case .status:
                // After a look at the disk, so that what it says of files is true now.
                guard after == .look else { return .later(.look) }
                output.reply(to: id, status(snapshot, now))
            case .discover:
                output.reply(to: id) { $0.append(Self.document) }
            case .subscribe(let parameters):
                return .subscription(parameters)
            case .command(let command):
                switch command {
                case .icon(let app, _, _): _ = try served(app, by: catalog)
                case .refresh, .clear, .reload, .launch, .reviewEligible, .reviewRequest, .reviewReset: break
                }
                return .later(.command(command))
            }
        } catch {
            output.reply(to: id, error: error)
        }
        return .written(events)
    }

    // MARK: Methods

    /// Writes the list of a catalog as it is now, even during a fetch. A client reads it as ``ListResult``.
    private mutating func list(
        _ parameters: ListParameters, of catalog: CatalogSnapshot, in snapshot: Snapshot, now: Timestamp,
        to output: inout OutputQueue
    ) {
        let freshness = catalog.freshness(now: now)
        let language = parameters.language ?? .one(language)
        let served = catalog.served?.catalog
        let selection = served.map { served in
            served.selection(host: parameters.host, without: parameters.unlaunched ? snapshot.launched : [])
        }
        let rows = rows.rows(of: catalog, in: language, icons: parameters.icons)
        let retry = catalog.retry(now: now)
        output.json.append("{")
        freshness.writeListMembers(to: &output.json)
        output.json.member("canRetry", retry.canRetry)
        output.json.member("retryAt", retry.at?.roundedUpToSecond)
        output.json.member("hostKnown", selection?.isHostKnown)
        output.json.member("language", language.lookedFor)
        output.json.name("apps")
        if let rows, let selection {
            output.array(of: rows, selection.first(parameters.limit))
        } else {
            output.json.array { _ in }
        }
        if catalog.isUnconfigured {
            output.json.member("emptyBecause", Emptiness.notConfigured.rawValue)
        } else if let served, selection?.ranges.isEmpty == true {
            let isByRule = served.selection(host: parameters.host).ranges.isEmpty
            output.json.member("emptyBecause", (isByRule ? Emptiness.rule : .launched).rawValue)
        } else if served == nil, let problem = catalog.problems(now: now).first {
            output.json.name("error")
            Failure(problem.code, problem.text).write(to: &output.json)
        }
        output.json.append("}")
    }

    /// The reply to a list after its id, which is valid until the next publication; nil if it must not be kept. The expiry of a catalog is
    /// published, too.
    package mutating func keptList(
        _ parameters: ListParameters, of reference: CatalogReference?, snapshot: Snapshot, now: Timestamp
    ) -> [UInt8]? {
        guard let catalog = snapshot.choose(reference, for: parameters.host),
            catalog.freshness(now: now).state == .fresh
        else { return nil }
        var output = OutputQueue()
        output.reply(to: .null, result: { list(parameters, of: catalog, in: snapshot, now: now, to: &$0) })
        return output.rest(behind: .null)
    }

    private func tap(_ parameters: TapParameters, _ catalog: CatalogSnapshot) throws(RequestError) -> TapResult {
        let app = try served(parameters.app, by: catalog).app(parameters.app)
        return TapResult(
            app: parameters.app, appStoreID: app?.appStoreID, storeURL: app?.storeURL ?? "",
            offlineMessage: isOnline() ? nil : OfflineMessage.text(in: parameters.language ?? language))
    }

    /// All or none: if one app is unknown, the request is refused.
    private func impression(
        _ parameters: ImpressionParameters, _ catalog: CatalogSnapshot
    ) throws(RequestError) -> [Event] {
        var events: [Event] = []
        for id in parameters.apps {
            _ = try served(id, by: catalog)
            events.append(
                .impression(app: id, host: parameters.host, catalog: catalog.name, isSample: catalog.isSample))
        }
        return events
    }

    private func status(_ snapshot: Snapshot, _ now: Timestamp) -> StatusResult {
        var status = status
        (status.isOnline, status.problems) = (isOnline(), snapshot.problems)
        status.catalogs = snapshot.catalogs.map { $0.status(now: now) }
        return status
    }

    /// The catalog that has an app.
    private func served(_ id: String, by catalog: CatalogSnapshot) throws(RequestError) -> PreparedCatalog {
        guard let served = catalog.served?.catalog else {
            let text =
                catalog.isUnconfigured
                ? Unconfigured.text
                : "There is no catalog yet; \"status\" reports why, and when promod tries again to fetch one."
            throw RequestError(.noCatalog, text)
        }
        guard served.has(id) else {
            throw RequestError(
                .unknownApp,
                "No app in the catalog \"\(catalog.name)\" has the id \"\(id)\"; \"list\" shows those that are there.")
        }
        return served
    }
}
