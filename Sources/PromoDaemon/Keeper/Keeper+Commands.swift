import Dispatch
import PromoCore
import PromoWire

/// The commands of clients, which have to wait.
extension Keeper {
    static let notRunning = RequestError(.busy, "promod is starting or stopping; try again in a moment.")

    /// Carries out a command. The completion is called on the loop's thread: at once, or when a job or a fetch has ended.
    /// - Parameter client: identifies the client for ``forget(_:)``.
    func carryOut(
        _ command: Command, of reference: CatalogReference? = nil, for client: Int = 0,
        completion: @escaping Command.Completion
    ) {
        guard isRunning else { return completion(.refused(Self.notRunning)) }
        // Files that are not watched are read when somebody wants the catalog fetched now.
        if case .refresh = command, unwatched != nil {
            return read(then: { $0.perform(command, of: reference, for: client, completion: completion) })
        }
        perform(command, of: reference, for: client, completion: completion)
    }

    private func perform(
        _ command: Command, of reference: CatalogReference?, for client: Int, completion: @escaping Command.Completion
    ) {
        do throws(RequestError) {
            switch command {
            case .refresh(let parameters):
                let catalog = try find(command, reference)
                let isPossible = refreshers[catalog.identity]?.refresh(parameters, for: client) { [inbox] result in
                    if let result { return completion(.result(result)) }
                    // The catalog was cleared, or its file changed or removed: the request means what is kept now.
                    inbox.submit { $0.carryOut(command, of: reference, for: client, completion: completion) }
                }
                if isPossible != true { throw noOrigin(catalog) }
            case .clear:
                guard let refresher = refreshers[try find(command, reference).identity] else {
                    return completion(.result(ClearResult()))
                }
                refresher.clear { [inbox] refusal in
                    inbox.submit { _ in completion(refusal.map { .refused($0) } ?? .result(ClearResult())) }
                }
            case .reload:
                reload {
                    completion($0.map { .refused(RequestError(.badConfiguration, $0)) } ?? .result(ReloadResult()))
                }
            case .icon(let app, _, let wait):
                guard let refresher = refreshers[try find(command, reference).identity] else {
                    return completion(.icon(IconReply(app: app, picture: nil)))
                }
                refresher.icons.icon(of: app, for: wait ? client : nil) { completion(.icon($0)) }
            case .launch(let app): launch(app, completion: completion)
            case .reviewEligible(let parameters):
                try review(parameters, of: reference, isRequest: false, completion: completion)
            case .reviewRequest(let parameters):
                try review(parameters, of: reference, isRequest: true, completion: completion)
            case .reviewReset(let app): reset(app, completion: completion)
            }
        } catch {
            completion(.refused(error))
        }
    }

    /// Calls back on the loop's thread when a catalog's fetch under way has ended, or at once if there is none.
    func awaitFetch(
        for request: Request, of client: Int = 0, _ completion: @escaping @Sendable () -> Void
    ) {
        let isAwaited = refresher(for: request)?.awaitFetch(for: client) { [inbox] result in
            if result != nil { return completion() }
            inbox.submit { $0.awaitFetch(for: request, of: client, completion) }
        }
        if isAwaited != true { completion() }
    }

    /// A client was answered: an expired catalog and missing pictures may be fetched for it.
    func answered(_ request: Request) {
        switch request.method {
        case .list(let list):
            let refresher = refresher(for: request)
            if list.icons { refresher?.icons.asked() }
            refresher?.answered()
        case .tap, .impression: refresher(for: request)?.answered()
        case .status, .discover, .subscribe, .command: break
        }
    }

    /// Looks at the disk, publishes what is wrong, and calls back on the loop's thread. A disk that does not answer delays that by
    /// ``lookTime`` at most: it is then that a person asks for the status.
    func look(_ completion: @escaping @Sendable () -> Void) {
        lookers.append(completion)
        // One look serves all who ask meanwhile.
        if let lookingSince {
            if loop.now - lookingSince >= Self.lookTime { answerLookers() }
            return
        }
        lookingSince = loop.now
        let timer = loop.schedule(at: loop.now + Self.lookTime) { [unowned self] in answerLookers() }
        // What could not be written or read before may be by now. Nobody waits here for a lock that another program holds.
        let file = reviews.problem == nil ? nil : reviews.file
        disk.async { [inbox, look = effects.look, versions, room] in
            let reviews = file.map { ReviewFile.Job($0, until: PollLoop.clock()) { _ in } }
            let found = look?.findings(since: versions, room: room)
            inbox.submit { keeper in
                keeper.lookingSince = nil
                keeper.loop.cancel(timer)
                if let reviews { keeper.take(reviews) }
                keeper.take(found)
                keeper.answerLookers()
            }
        }
    }

    private func answerLookers() {
        publish()
        let waiting = lookers
        lookers = []
        for completion in waiting { completion() }
    }

    /// The room that the next write needs: that of the largest catalog, and some for all else, in bytes.
    var room: Int {
        (snapshot.catalogs.compactMap { $0.served?.contents?.bytes.count }.max() ?? 0) + DiskLook.room
    }

    /// Takes what a look at the disk has found. If this process has lost a directory, it ends, so that its service manager starts
    /// another that has one; requests wait in the socket meanwhile.
    func take(_ found: DiskLook.Findings?) {
        guard let found, isRunning else { return }
        self.found = found.problems
        guard let directory = found.lost else { return wasUsable = true }
        guard wasUsable, effects.environment["NOTIFY_SOCKET"] != nil else { return }
        lost = directory
        effects.notifier.stopping()
        stop()
        server?.stop()
    }

    /// A client has hung up while its reply was awaited, so nothing of its request is kept.
    func forget(_ client: Int) {
        refreshers.values.forEach { $0.forget(client) }
    }

    private func refresher(for request: Request) -> CatalogRefresher? {
        guard isRunning else { return nil }
        let catalog = snapshot.choose(request.catalog, for: request.method.host)
        return catalog.flatMap { refreshers[$0.identity] }
    }

    /// The catalog that a command is about, in the latest snapshot: one is published after each change.
    private func find(_ command: Command, _ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try snapshot.find(reference, for: command.host)
    }
}
