import PromoCore
import PromoWire

/// Carries out the commands of clients, which have to wait, and lets requests wait for fetches. It belongs to the loop's thread.
final class CommandKeeper {
    private static let notRunning = RequestError(.busy, "promod is stopping; try again in a moment.")
    static let notRead = RequestError(
        .busy, "promod is still reading its configuration and its caches from the disk; try again in a moment.")

    private unowned let keeper: Keeper

    init(_ keeper: Keeper) {
        self.keeper = keeper
    }

    /// Carries out a command. The completion is called on the loop's thread: at once, or when a job or a fetch has ended.
    /// - Parameter client: identifies the client for ``forget(_:)``.
    func carryOut(
        _ command: Command, of reference: CatalogReference? = nil, for client: Int = 0,
        completion: @escaping Command.Completion
    ) {
        guard keeper.isRunning else { return completion(.refused(Self.notRunning)) }
        // Files that are not watched are read when somebody wants the catalog fetched now.
        if case .refresh = command, keeper.catalogs.unwatched != nil {
            return keeper.catalogs.read(
                then: { $0.commands.perform(command, of: reference, for: client, completion: completion) })
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
                let isPossible = keeper.catalogs.refresher(of: catalog)?.refresh(parameters, for: client) {
                    [inbox = keeper.inbox] result in
                    if let result { return completion(.result(result)) }
                    // The catalog was cleared, or its drop-in changed or removed: the request means what is kept now.
                    inbox.submit {
                        $0.commands.carryOut(command, of: reference, for: client, completion: completion)
                    }
                }
                if isPossible != true { throw noOrigin(catalog) }
            case .clear(_, let isForced):
                let catalog = try find(command, reference)
                if !isForced, let loss = catalog.loss(isOnline: keeper.isOnline()) {
                    throw RequestError(.onlyCopy, loss)
                }
                guard let refresher = keeper.catalogs.refresher(of: catalog) else {
                    return completion(.result(ClearResult()))
                }
                refresher.clear { [inbox = keeper.inbox] refusal in
                    inbox.submit { _ in completion(refusal.map { .refused($0) } ?? .result(ClearResult())) }
                }
            case .reload:
                keeper.catalogs.reload {
                    completion($0.map { .refused(RequestError(.badConfiguration, $0)) } ?? .result(ReloadResult()))
                }
            case .icon(let app, _, let wait):
                guard let refresher = keeper.catalogs.refresher(of: try find(command, reference)) else {
                    return completion(.icon(IconReply(app: app, picture: nil)))
                }
                refresher.icons.icon(of: app, for: client, waits: wait) { completion(.icon($0)) }
            case .launch(let app): keeper.reviews.launch(app, completion: completion)
            case .reviewEligible(let parameters):
                try keeper.reviews.review(parameters, of: reference, isRequest: false, completion: completion)
            case .reviewRequest(let parameters):
                try keeper.reviews.review(parameters, of: reference, isRequest: true, completion: completion)
            case .reviewReset(let app): keeper.reviews.reset(app, completion: completion)
            }
        } catch {
            completion(.refused(error))
        }
    }

    private func noOrigin(_ catalog: CatalogSnapshot) -> RequestError {
        let nothing =
            catalog.isUnconfigured
            ? Unconfigured.text
            : catalog.served?.source == .file
                ? "This catalog is the file \(catalog.file ?? ""), which promod reads again at a reload."
                : "The sample needs no refresh; \"promoctl setup https://…\" sets the address of your catalog."
        let broken =
            catalog.error.map { "This catalog is not fetched while its drop-in is broken. \($0)" }
            ?? keeper.catalogs.configurationError.map { "Nothing is fetched while the configuration is broken. \($0)" }
        return RequestError(.noOrigin, broken ?? nothing)
    }

    /// Calls back on the loop's thread when a catalog's fetch under way has ended, or at once if there is none.
    func awaitFetch(
        for request: Request, of client: Int = 0, _ completion: @escaping @Sendable () -> Void
    ) {
        let isAwaited = refresher(for: request)?.awaitFetch(for: client) { [inbox = keeper.inbox] result in
            if result != nil { return completion() }
            inbox.submit { $0.commands.awaitFetch(for: request, of: client, completion) }
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

    /// A client has hung up while its reply was awaited, so nothing of its request is kept.
    func forget(_ client: Int) {
        keeper.catalogs.forEach { $0.forget(client) }
    }

    private func refresher(for request: Request) -> CatalogRefresher? {
        guard keeper.isRunning else { return nil }
        return keeper.snapshot.choose(request.catalog, for: request.method.host).flatMap(keeper.catalogs.refresher)
    }

    /// The catalog that a command is about, in the latest snapshot: one is published after each change.
    private func find(_ command: Command, _ reference: CatalogReference?) throws(RequestError) -> CatalogSnapshot {
        try keeper.snapshot.find(reference, for: command.host)
    }
}
