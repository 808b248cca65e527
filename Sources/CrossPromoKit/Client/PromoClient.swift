public import FoundationEssentials
package import PromoWire

/// Sends requests of an app to promod: each call is one request, and returns its answer or throws.
///
/// It needs no main actor, so it suits servers, command lines and tests. All clients and services of a process share a connection for
/// requests, another one for those that wait for a fetch, and one for events; without requests and events there is none.
public struct PromoClient: Sendable {
    /// The id of the app that asks, whose rule in the catalog applies, and which is not listed; nil lists all apps.
    public let host: String?
    let catalog: PromoCatalog?
    let language: Language?
    package let daemon: DaemonClient

    /// Creates a client, which connects with its first request.
    /// - Parameters:
    ///   - host: the id of the app that asks: lower-case ASCII letters, digits and hyphens.
    ///   - catalog: the catalog; nil to let promod choose the one that lists the host.
    ///   - language: the language of texts for people, a BCP 47 tag or a POSIX locale; nil for the process's language.
    ///   - socketPath: the path of promod's socket; nil for the default, which the environment may change.
    ///   - timeout: how long promod may take to answer a request that does not wait for a fetch.
    ///   - program: the path of the promod that comes with the app, and is started if nobody listens at the socket; nil for
    ///     `../libexec/promod` from the app's executable. `PROMOD_PROGRAM` names another one, or is `none`.
    ///   - bundled: the app's file with a list for the time before the first fetch of the catalog, if that is a
    ///     ``PromoCatalog/url(_:)``.
    public init(
        host: String? = nil, catalog: PromoCatalog? = nil, language: String? = nil, socketPath: String? = nil,
        timeout: Duration = .seconds(5), program: String? = nil, bundled: URL? = nil
    ) {
        (self.host, self.catalog, self.language) = (host, catalog, language.map { Language(tag: $0) })
        var daemon = DaemonClient(socketPath: socketPath, timeout: timeout)
        daemon.start = ProgramStart(program: program)
        if let host, case .url(let address) = catalog {
            daemon.own = OwnCatalog(app: host, address: address.absoluteString, bundled: bundled?.path)
        }
        self.daemon = daemon
    }

    /// The apps that the host may promote.
    /// - Throws: ``PromoError``, also if there are none because of a failure.
    public func apps() async throws(PromoError) -> [PromoApp] {
        let list = try await list()
        if list.source == nil, let error = list.error { throw error }
        return list.apps
    }

    /// The list that the host shows, at once; if there is none yet, after the first fetch, which may take two minutes.
    /// - Parameters:
    ///   - hidesLaunchedApps: whether apps are left out whose first launch promod has recorded.
    ///   - loadsIcons: whether promod fetches the apps' pictures, and ``PromoApp/iconFile`` is set.
    public func list(
        hidesLaunchedApps: Bool = false, loadsIcons: Bool = false
    ) async throws(PromoError) -> PromoList {
        var parameters = ListParameters(
            host: try checkedHost(), language: .all, unlaunched: hidesLaunchedApps, icons: loadsIcons)
        var listing = try await answer(to: .list(parameters)).read(ListResult.init)
        if listing.freshness.state == .loading {
            parameters.wait = true
            listing = try await answer(to: .list(parameters)).read(ListResult.init)
        }
        return try PromoList(listing, in: language)
    }

    /// Reports a tap on an app's row, and returns where to send the person.
    public func tap(_ appID: String) async throws(PromoError) -> TapDestination {
        let tap = TapParameters(app: appID, host: try checkedHost(), language: language ?? .ofProcess)
        let result = try await answer(to: .tap(tap)).read(TapResult.init)
        guard let storeURL = URL(https: result.storeURL) else { throw .badReply(MalformedResult(member: "storeURL")) }
        return result.offlineMessage.map { .offline(message: $0, storeURL: storeURL) } ?? .store(storeURL)
    }

    /// Reports that rows were seen, of at most 100 apps.
    public func impression(_ appIDs: [String]) async throws(PromoError) {
        guard !appIDs.isEmpty else { return }
        _ = try await answer(to: .impression(ImpressionParameters(apps: appIDs, host: try checkedHost())))
    }

    /// Has promod fetch the catalog now, and returns when it has, or while the fetch goes on over a slow line.
    /// - Throws: ``PromoError``, which is `refreshFailed` for a fetch that failed.
    public func refresh() async throws(PromoError) {
        let parameters = RefreshParameters(host: try checkedHost())
        let result = try await answer(to: .command(.refresh(parameters))).read(RefreshResult.init)
        if let failure = result.failure { throw failure }
    }

    /// Has promod forget the fetched catalog, which it fetches again when a list is asked for.
    /// - Throws: ``PromoError``, which is `refused` with the reason `only-copy` if no other could be fetched.
    public func clear() async throws(PromoError) {
        _ = try await answer(to: .command(.clear(host: try checkedHost())))
    }

    /// The bytes of an app's picture, a PNG, JPEG or WebP; nil if promod has none yet, which it then fetches.
    public func icon(of appID: String) async throws(PromoError) -> Data? {
        try await answer(to: .command(.icon(app: appID, host: try checkedHost()))).read(IconResult.init).picture
    }

    /// Records that the host was launched. The wait for the first review begins with the first launch.
    public func launch() async throws(PromoError) {
        _ = try await answer(to: .command(.launch(app: try requiredHost())), ofAnyCatalog: true)
    }

    /// Whether the host may ask for a review now, and if not, why. It changes nothing.
    /// - Parameters:
    ///   - completed: the number of successes that the person has completed.
    ///   - minimum: how many are enough, 1 or more; nil for the number that promod is configured with.
    ///   - page: the https address of the page on which to write the review; nil for that of the catalog, which the app need not have.
    ///   - appStoreID: the app's number in the App Store, whose page is shown if there is no other.
    public func reviewEligibility(
        completed: Int, minimum: Int? = nil, page: URL? = nil, appStoreID: String? = nil
    ) async throws(PromoError) -> ReviewDecision {
        try await decision(.reviewEligible(reviewParameters(completed, minimum, page, appStoreID)))
    }

    /// Asks for a review. If it is granted, the request counts, and the page is for the person; the parameters are those of
    /// ``reviewEligibility(completed:minimum:page:appStoreID:)``.
    public func requestReview(
        completed: Int, minimum: Int? = nil, page: URL? = nil, appStoreID: String? = nil
    ) async throws(PromoError) -> ReviewDecision {
        try await decision(.reviewRequest(reviewParameters(completed, minimum, page, appStoreID)))
    }

    private func decision(_ command: Command) async throws(PromoError) -> ReviewDecision {
        let result = try await answer(to: .command(command)).read(ReviewResult.init)
        return ReviewDecision(
            isGranted: result.isGranted, reasons: result.reasons.map(\.rawValue),
            page: result.reviewURL.flatMap { URL(https: $0) })
    }

    private func reviewParameters(
        _ completed: Int, _ minimum: Int?, _ page: URL?, _ appStoreID: String?
    ) throws(PromoError) -> ReviewParameters {
        ReviewParameters(
            app: try requiredHost(), completed: max(completed, 0), minimum: minimum.map { max($0, 1) },
            page: page?.absoluteString, appStoreID: appStoreID)
    }

    /// Sends a request about the catalog, without blocking the caller's thread.
    private func answer(
        to method: Request.Method, ofAnyCatalog: Bool = false
    ) async throws(PromoError) -> JSONValue {
        try await daemon.answer(to: method, of: ofAnyCatalog ? nil : catalog?.checked())
    }

    /// The host's id.
    /// - Throws: `invalidAppID` if it is not valid, because without it the list would contain the host.
    func checkedHost() throws(PromoError) -> String? {
        guard let host, !AppID.isWellFormed(host) else { return host }
        throw PromoError(
            .invalidAppID,
            message: "The app's id is \"\(host.printable.elided())\", but an id has \(AppID.form), such as finebill."
        )
    }

    private func requiredHost() throws(PromoError) -> String {
        if let host = try checkedHost() { return host }
        throw PromoError(.invalidAppID, message: "A launch or a review needs an app: give the client a host.")
    }
}

/// Whether a review is granted.
public struct ReviewDecision: Hashable, Sendable {
    /// Whether the app may ask for a review now.
    public let isGranted: Bool
    /// Why not, in promod's words, such as `too-few-completions`; empty if it is granted.
    public let reasons: [String]
    /// The page on which to write the review; nil unless it is granted.
    public let page: URL?
}

extension RefreshResult {
    /// The error of a refresh that failed, or that was deferred after a failure; nil for other outcomes.
    package var failure: PromoError? {
        switch outcome {
        case .updated, .unchanged, .started: return nil
        case .failed:
            return error.map(PromoError.init)
                ?? PromoError(.refreshFailed, message: "The catalog could not be fetched.")
        case .deferred:
            let later = retryAt.map { " promod can check the origin again at \($0.rfc3339)." } ?? ""
            return error.map {
                PromoError(
                    .refreshDeferred, reason: $0.code.rawValue,
                    message: "The refresh is deferred, because the last attempt was too recent. \($0.message)\(later)")
            }
        }
    }
}
