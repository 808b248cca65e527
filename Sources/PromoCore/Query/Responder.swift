package import PromoWire

/// Writes the reply to a request from a snapshot, or says what the reply waits for. Requests are dispatched only here.
package struct Responder: Sendable {
    private static let document = SharedBytes(OpenRPCDocument.json)

    private let language: Language
    /// A status with what no catalog determines.
    package var status: StatusResult
    /// Whether the kernel has a route to a global address.
    private let hasRoute: @Sendable () -> Bool
    /// What lists are made from, as far as jobs have made it.
    private var sources: [ListOrder.Key: ListSource] = [:]

    /// Creates a responder whose language is used if a request names none.
    package init(language: Language, status: StatusResult, hasRoute: @escaping @Sendable () -> Bool) {
        (self.language, self.status, self.hasRoute) = (language, status, hasRoute)
    }

    /// A snapshot is published. Only what it can still use is kept.
    package mutating func published(_ snapshot: Snapshot) {
        sources = sources.filter { key, _ in key.isUsed(by: snapshot) }
    }

    /// A job has made what a list waits for: keeps it for further lists, and writes the reply.
    package mutating func answer(
        _ order: ListOrder, from source: ListSource, id: RequestID?, snapshot: Snapshot, now: Timestamp,
        output: inout OutputQueue
    ) {
        if order.key.isUsed(by: snapshot) { sources[order.key] = source }
        output.reply(to: id) {
            list(order.parameters, of: order.catalog, from: source, in: snapshot, now: now, to: &$0)
        }
    }

    private func source(of order: ListOrder) -> ListSource? { order.ready ?? sources[order.key] }

    /// Answers a request.
    /// - Parameter after: the event that the request has waited for; nil at first.
    package mutating func respond(
        to request: Request, id: RequestID?, snapshot: Snapshot, now: Timestamp, after: Answer.Later? = nil,
        output: inout OutputQueue
    ) -> Answer {
        var events: [Event] = []
        guard snapshot.isRead || !request.needsCatalogs else { return .later(.start) }
        // The drop-ins may be read before its catalog is found.
        if case .command(.refresh(let parameters)) = request.method { return .later(.command(.refresh(parameters))) }
        do {
            let catalog = try snapshot.find(request.catalog, for: request.method.host)
            switch request.method {
            case .list(let parameters):
                if parameters.wait, after == nil, catalog.awaitsFetch(now: now) {
                    return .later(.fetch)
                }
                let order = ListOrder(parameters, in: language, of: catalog, snapshot)
                let source = order.flatMap(source)
                if let order, source == nil { return .later(.source(order)) }
                output.reply(to: id) { list(parameters, of: catalog, from: source, in: snapshot, now: now, to: &$0) }
            case .tap(let parameters):
                let result = try tap(parameters, catalog, in: snapshot)
                output.reply(to: id, result)
                events = [
                    .tap(app: result.app, host: parameters.host, catalog: catalog.name, isSample: catalog.isSample)
                ]
            case .impression(let parameters):
                events = try impression(parameters, catalog)
                output.reply(to: id, ImpressionResult(emitted: events.count))
            case .status:
                // After a look at the disk, so that what it says of files is true now; but it tells of a start that waits for the disk.
                guard after == .look || !snapshot.isRead else { return .later(.look) }
                output.reply(to: id, status(of: request.catalog, catalog, snapshot, now))
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
    private func list(
        _ parameters: ListParameters, of catalog: CatalogSnapshot, from source: ListSource?, in snapshot: Snapshot,
        now: Timestamp, to output: inout OutputQueue
    ) {
        let freshness = catalog.freshness(now: now)
        let language = parameters.language ?? .one(language)
        let selection = catalog.served?.catalog.selection(host: parameters.host)
        let shown = selection?.first(parameters.limit, among: source?.positions ?? []) ?? []
        let retry = catalog.retry(now: now)
        output.json.append("{")
        freshness.writeListMembers(to: &output.json)
        output.json.member("canRetry", retry.canRetry)
        output.json.member("retryAt", retry.at?.roundedUpToSecond)
        output.json.member("hostKnown", selection?.isHostKnown)
        output.json.member("language", language.lookedFor)
        output.json.name("apps")
        if let source {
            output.array(of: source.rows, shown)
        } else {
            output.json.array { _ in }
        }
        if catalog.isUnconfigured {
            output.json.member("emptyBecause", Emptiness.notConfigured.rawValue)
        } else if let selection, shown.isEmpty {
            output.json.member("emptyBecause", (selection.ranges.isEmpty ? Emptiness.rule : .launched).rawValue)
        }
        if let failure = catalog.failure(now: now) {
            output.json.name("error")
            failure.write(to: &output.json)
        }
        output.json.append("}")
    }

    /// The reply to a list after its id, which is valid until the next publication; nil if it must not be kept. The expiry of a catalog is
    /// published, too.
    package func keptList(
        _ parameters: ListParameters, of reference: CatalogReference?, snapshot: Snapshot, now: Timestamp
    ) -> [UInt8]? {
        guard let catalog = snapshot.choose(reference, for: parameters.host),
            catalog.freshness(now: now).state == .fresh,
            let order = ListOrder(parameters, in: language, of: catalog, snapshot), let source = source(of: order),
            order.mayBeKept(source)
        else { return nil }
        var output = OutputQueue()
        output.reply(to: .null) { list(parameters, of: catalog, from: source, in: snapshot, now: now, to: &$0) }
        return output.rest(behind: .null)
    }

    private func tap(
        _ parameters: TapParameters, _ catalog: CatalogSnapshot, in snapshot: Snapshot
    ) throws(RequestError) -> TapResult {
        let app = try served(parameters.app, by: catalog).app(parameters.app)
        return TapResult(
            app: parameters.app, appStoreID: app?.appStoreID, storeURL: app?.storeURL ?? "",
            offlineMessage: isOnline(in: snapshot) ? nil : OfflineMessage.text(in: parameters.language ?? language))
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

    private func isOnline(in snapshot: Snapshot) -> Bool { hasRoute() || snapshot.isProxied }

    /// The status; if a catalog is named, with that one alone, and without the problems of others.
    private func status(
        of reference: CatalogReference?, _ catalog: CatalogSnapshot, _ snapshot: Snapshot, _ now: Timestamp
    ) -> StatusResult {
        var status = status
        (status.isOnline, status.problems) = (isOnline(in: snapshot), snapshot.problems)
        if reference != nil { status.problems.removeAll { $0.catalog ?? catalog.name != catalog.name } }
        status.catalogs = (reference == nil ? snapshot.catalogs : [catalog]).map { $0.status(now: now, of: reference) }
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

/// How a request is answered. It travels from the responder to the connection.
package enum Answer: Equatable, Sendable {
    /// The reply is written, and these events happened.
    case written([Event] = [])
    /// The client subscribes to events of a catalog, or of all; the reply comes from the part that delivers them.
    case subscription(SubscribeParameters)
    /// Nothing is written yet.
    case later(Later)

    /// Whether nothing is written yet.
    var isLater: Bool { if case .later = self { true } else { false } }

    /// What the reply waits for.
    package enum Later: Equatable, Sendable {
        /// The keeper's reply.
        case command(Command)
        /// What is read at the start.
        case start
        /// What the list is made from.
        case source(ListOrder)
        /// A look at the disk.
        case look
        /// The end of the catalog's fetch.
        case fetch
    }
}

extension Request {
    /// Whether the reply depends on what is read at the start.
    fileprivate var needsCatalogs: Bool {
        switch method {
        case .status, .discover, .subscribe: catalog != nil
        case .list, .tap, .impression, .command: true
        }
    }
}

extension Command {
    /// The keeper's reply to a command.
    package enum Reply: Sendable {
        case result(any MethodResult)
        case icon(IconReply)
        case refused(RequestError)
    }

    /// Takes the reply to a command, once.
    package typealias Completion = @Sendable (Reply) -> Void
}

/// The result of `icon` as the daemon writes it, with a picture that all replies share. A client reads it as ``IconResult``.
package struct IconReply: Sendable {
    /// The id of the app.
    package let app: String
    /// The picture with its media type, in base64; nil if there is none on disk.
    package let picture: (mediaType: String, base64: SharedBytes)?

    /// Creates a reply from its parts.
    package init(app: String, picture: (mediaType: String, base64: SharedBytes)?) {
        self.app = app
        self.picture = picture
    }

    /// Writes the result's JSON object.
    package func write(to output: inout OutputQueue) {
        output.json.append("{")
        output.json.member("app", app)
        output.json.member("mediaType", picture?.mediaType)
        output.json.name("data")
        if let picture {
            output.json.append("\"")
            output.append(picture.base64)
            output.json.append("\"}")
        } else {
            output.json.append("null}")
        }
    }
}
