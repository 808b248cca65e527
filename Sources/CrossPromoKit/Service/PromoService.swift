import FoundationEssentials
public import Observation
import PromoProcess
package import PromoWire

/// The apps that a host app promotes, as promod has them, kept up to date while the service lives.
///
/// A daemon that is away, slow or restarted leaves the last list in place and says so in ``error``; no call waits longer than
/// the configuration's timeout, but for one that waits for the origin, two minutes.
@MainActor
@Observable
public final class PromoService {
    /// Where the list stands.
    public enum LoadState: Equatable, Sendable {
        /// Nobody asked for it yet.
        case idle
        /// The first answer, or the first fetch, is under way.
        case loading
        /// It is fresh.
        case loaded
        /// It is past its time, or promod cannot be asked; what was there is shown.
        case cached
        /// There is nothing to show; whether it makes sense that a person tries again now.
        case empty(canRetry: Bool)
    }

    /// The apps to show, in the catalog's order; the host app is not among them.
    public private(set) var apps: [PromoApp] = []
    /// Where the list stands.
    public private(set) var state = LoadState.idle
    /// Why the last load or refresh did not work; nil if it did.
    public private(set) var error: PromoError?
    /// What promod said with the list; nil until it did.
    package private(set) var listing: ListResult?

    /// Whether the catalog knows the host app, as an app or by a rule; nil while there is no catalog.
    ///
    /// An app that the catalog does not know is shown every app, so false may be a typing error in its id.
    public var isHostKnown: Bool? { listing?.isHostKnown }

    /// Whether a load or a refresh is under way.
    public var isLoading: Bool { loads > 0 }

    /// Hears of this service's events; it is held weakly.
    @ObservationIgnored public weak var eventDelegate: (any PromoEventDelegate)?
    /// What the service was made with.
    @ObservationIgnored public let config: PromoConfig

    private var loads = 0
    @ObservationIgnored private var isPreview = false
    @ObservationIgnored private let client: DaemonClient
    @ObservationIgnored private var following: CatalogFollowing?
    /// Loads are numbered, so that an answer that was overtaken does not replace a later one.
    @ObservationIgnored private var lastBegun = 0
    @ObservationIgnored private var lastApplied = 0
    /// The loads of the list that are under way, and where it stood before them.
    @ObservationIgnored private var pending = 0
    @ObservationIgnored private var settled = LoadState.idle
    /// Why the last refresh did not work; it stays until somebody asks anew or the list is a fresher one.
    @ObservationIgnored private var refreshFailure: PromoError?
    @ObservationIgnored private var impressions: ImpressionReport

    /// A service that asks nothing until it is told to.
    public init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.config = config
        self.eventDelegate = eventDelegate
        client = config.client
        impressions = ImpressionReport(config: config)
    }

    /// A service that shows a state and never asks promod, for previews and tests of a host app.
    public convenience init(previewing state: LoadState, apps: [PromoApp] = [], error: PromoError? = nil) {
        self.init(config: PromoConfig(currentAppID: ""))
        isPreview = true
        self.state = state
        self.apps = apps
        self.error = error
    }

    /// Asks promod for the list, waits for a first fetch that is under way, and follows from then on.
    public func loadApps() async {
        guard !isPreview else { return }
        refreshFailure = nil
        await load()
        follow()
    }

    /// Has promod fetch the catalog now, and loads the list: what "Try Again" does.
    ///
    /// Just after another attempt promod waits for the end of its minimum gap, 2 s unless it is configured otherwise.
    public func forceRefresh() async {
        guard !isPreview else { return }
        loads += 1
        defer { loads -= 1 }
        var failure: PromoError?
        do {
            _ = try config.checkedHost()
            let answer = try await client.answer(to: .refresh(RefreshParameters()), timeout: DaemonClient.fetchTimeout)
            failure = try RefreshResult(answer).failure
        } catch {
            failure = PromoError(error)
        }
        await loadApps()
        guard let failure, failure.code != .cancelled else { return }
        refreshFailure = failure
        error = failure
    }

    /// Says where to send the person who tapped a row, and tells promod and the delegate.
    ///
    /// Where promod does not know the app any more, or cannot be asked, it is the row's own page in the store.
    @discardableResult
    public func handleAppTap(_ app: PromoApp) async -> TapDestination {
        eventDelegate?.promoService(self, didEmit: .tap(appID: app.id))
        guard let request = try? tap(on: app), let result = try? TapResult(await client.answer(to: request)),
            let storeURL = URL(https: result.storeURL)
        else { return .store(app.storeURL) }
        return result.offlineMessage.map { .offline(message: $0, storeURL: storeURL) } ?? .store(storeURL)
    }

    /// A row was seen: the delegate and promod hear of it, the first time in this session.
    public func handleAppImpression(_ app: PromoApp) {
        guard impressions.add(app.id) else { return }
        eventDelegate?.promoService(self, didEmit: .impression(appID: app.id))
    }

    /// Takes a list that somebody asked for already, with language `"*"`.
    package func take(_ list: JSONValue) throws(PromoError) {
        do {
            try apply(ListResult(list))
        } catch {
            throw .badReply(error)
        }
    }

    /// Returns when promod was told of every impression so far, or could not be.
    package func finishImpressions() async {
        await impressions.finish()
    }
}

extension PromoService {
    private func tap(on app: PromoApp) throws(PromoError) -> Request {
        .tap(TapParameters(app: app.id, host: try config.checkedHost(), language: config.resolvedLanguage))
    }

    private func load() async {
        loads += 1
        pending += 1
        defer {
            loads -= 1
            pending -= 1
        }
        if pending == 1 { settled = state }
        if apps.isEmpty { state = .loading }
        lastBegun += 1
        let number = lastBegun
        do {
            let listing = try await fetchList()
            guard number > lastApplied else { return }
            try apply(listing)
            lastApplied = number
        } catch {
            let error = PromoError(error)
            guard error.code != .cancelled else { return giveUp() }
            guard number > lastApplied else { return }
            lastApplied = number
            fail(error)
        }
    }

    private func fetchList() async throws -> ListResult {
        var parameters = ListParameters(host: try config.checkedHost(), language: .all)
        if let jsonURL = config.jsonURL { try await checkOrigin(jsonURL) }
        let listing = try ListResult(await client.answer(to: .list(parameters)))
        guard listing.freshness.state == .loading else { return listing }
        parameters.wait = true
        return try ListResult(await client.answer(to: .list(parameters), timeout: DaemonClient.fetchTimeout))
    }

    private func checkOrigin(_ expected: URL) async throws {
        let status = try StatusResult(await client.answer(to: .status))
        let url = expected.absoluteString
        // A status shows addresses without user, password and query.
        let shown = HTTPSURL(url)?.description
        guard shown == nil || shown != status.refresh.url else { return }
        let kept = status.refresh.url.map { "keeps \($0)" } ?? "has no catalog.url and serves its sample"
        throw PromoError(
            .otherCatalog,
            "This app expects the catalog \(shown ?? url), and promod \(kept). "
                + "\"promoctl setup\" with the right address settles it.")
    }

    private func apply(_ listing: ListResult) throws(MalformedResult) {
        apps = try listing.apps.map { app throws(MalformedResult) in try PromoApp(app) }
        let (new, old) = (listing.freshness, self.listing?.freshness)
        if new.generation != old?.generation || new.fetchedAt != old?.fetchedAt { refreshFailure = nil }
        self.listing = listing
        error = refreshFailure
        state =
            switch listing.freshness.state {
            case .loaded: .loaded
            case .cached: .cached
            case .loading, .empty: .empty(canRetry: listing.canRetry)
            }
    }

    /// Whoever gives up takes nobody along who still waits.
    private func giveUp() {
        if pending == 1 && state == .loading { state = settled }
    }

    private func fail(_ error: PromoError) {
        self.error = error
        state = apps.isEmpty ? .empty(canRetry: error.code != .invalidAppID) : .cached
    }

    private func follow() {
        guard following == nil, error?.code != .invalidAppID else { return }
        following = CatalogFollowing(client: client) { [weak self] in await self?.load() }
    }
}

extension RefreshResult {
    /// The error of a refresh that brought nothing.
    package var failure: PromoError? {
        switch outcome {
        case .updated, .unchanged, .started: nil
        case .failed:
            PromoError(
                .refreshFailed, reason: error?.code.rawValue, error?.message ?? "The catalog could not be fetched.")
        case .throttled:
            PromoError(
                .refreshFailed, reason: outcome.rawValue,
                "The origin of the catalog asked for a pause\(retryAt.map { " until \(LocalTime.short($0))" } ?? "").")
        }
    }
}

extension PromoError {
    /// Any error of a question to promod.
    init(_ error: any Error) {
        switch error {
        case let error as PromoError: self = error
        case let error as MalformedResult: self = .badReply(error)
        default: self = .badReply("\(error)")
        }
    }
}
