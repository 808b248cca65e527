public import FoundationEssentials
public import Observation
import PromoSystem
package import PromoWire

/// The list of apps that a host app promotes, kept up to date by promod.
///
/// If promod is not running, slow or restarted, the last list stays and ``error`` says what is wrong. No request waits longer than
/// the configuration's timeout, or two minutes if it waits for a fetch; ``forceRefresh()`` makes up to three.
@MainActor
@Observable
public final class PromoService {
    /// The state of the list.
    public enum LoadState: Equatable, Sendable {
        /// The list was never loaded.
        case idle
        /// There is no list yet: the first answer, or promod's first fetch, is under way.
        case loading
        /// The list is fresh.
        case loaded
        /// The list has expired, or promod cannot be reached. The last list is shown.
        case cached
        /// There is nothing to show. `canRetry` says whether a person may usefully try again now.
        case empty(canRetry: Bool)
    }

    /// Where the list comes from.
    public enum Source: Equatable, Sendable {
        /// The catalog's server.
        case origin
        /// The file that came with the app's package, because nothing was fetched yet.
        case bundled
        /// The sample that comes with promod, whose apps are made up. Say so where you show them.
        case sample
    }

    /// Why a list has no apps.
    public enum EmptyReason: String, Sendable {
        /// The catalog's rule for the host app allows none, or the catalog has no other app.
        case rule
        /// All others were launched, and ``PromoConfig/hidesLaunchedApps`` is true.
        case launched
        /// No catalog is configured for promod.
        case notConfigured
    }

    /// The apps to show, in the catalog's order; the host app is not among them.
    public private(set) var apps: [PromoApp] = []
    /// The state of the list.
    public private(set) var state = LoadState.idle
    /// Why the last load or refresh failed; nil if it succeeded.
    public private(set) var error: PromoError?
    /// The last list that promod sent; nil until the first.
    package private(set) var listing: ListResult?

    /// Whether the catalog has the host app as an app or in a rule; nil while there is no catalog.
    ///
    /// A host app that the catalog does not have is shown every app, so false may mean a typing error in its id.
    public var isHostKnown: Bool? { listing?.isHostKnown }

    /// Where the list comes from; nil while there is none.
    public var source: Source? {
        switch listing?.freshness.source {
        case .origin: .origin
        case .bundled: .bundled
        case .sample: .sample
        case nil, .some(.none): nil
        }
    }

    /// When the catalog's server last sent or confirmed the list; nil if it did not come from there, and while there is none.
    public var fetchedAt: Date? {
        (listing?.freshness.fetchedAt).map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    }

    /// Why the list has no apps; nil if it has some, or if the catalog could not be fetched yet.
    public var emptyReason: EmptyReason? {
        switch listing?.emptiness {
        case .rule: .rule
        case .launched: .launched
        case .notConfigured: .notConfigured
        case nil: nil
        }
    }

    /// Whether a load or a refresh is under way.
    public var isLoading: Bool { loads > 0 }

    /// Receives this service's events. The service does not retain it.
    @ObservationIgnored public weak var eventDelegate: (any PromoEventDelegate)?
    /// The configuration of the service.
    @ObservationIgnored public let config: PromoConfig

    private var loads = 0
    @ObservationIgnored private let isPreview: Bool
    /// Reloads the list when it may have changed.
    @ObservationIgnored private var reloads: Task<Void, Never>?
    // Loads are numbered, so that a late answer does not replace that of a newer load.
    @ObservationIgnored private var lastBegun = 0
    @ObservationIgnored private var lastApplied = 0
    /// The number of loads that are under way.
    @ObservationIgnored private var pending = 0
    /// The state before these loads.
    @ObservationIgnored private var settled = LoadState.idle
    /// Why the last refresh failed, until the host app's next load or a fresher list.
    @ObservationIgnored private var refreshFailure: PromoError?
    @ObservationIgnored private var impressions: ImpressionReport

    /// Creates a service, which asks promod nothing until ``loadApps()``.
    public convenience init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.init(config: config, isPreview: false)
        self.eventDelegate = eventDelegate
        MainActorCall.check(within: config.timeout)
    }

    private init(config: PromoConfig, isPreview: Bool) {
        self.config = config
        self.isPreview = isPreview
        impressions = ImpressionReport(config: config)
    }

    deinit {
        reloads?.cancel()
    }

    /// Creates a service that has the given state and never asks promod, for previews and tests of a host app.
    public convenience init(previewing state: LoadState, apps: [PromoApp] = [], error: PromoError? = nil) {
        self.init(config: PromoConfig(currentAppID: ""), isPreview: true)
        self.state = state
        self.apps = apps
        self.error = error
    }

    /// Loads the list from promod, waits for a first fetch that is under way, and keeps the list up to date from then on.
    public nonisolated func loadApps() async {
        await MainActorCall.make(within: config.timeout, otherwise: ()) { await self.reload() }
    }

    /// Has promod fetch the catalog now, and loads the list, as "Try Again" does.
    ///
    /// If another attempt has just ended, promod waits for the end of its minimum gap, which is 2 s by default.
    public nonisolated func forceRefresh() async {
        await MainActorCall.make(within: config.timeout, otherwise: ()) { await self.refresh() }
    }

    /// Reports a tap on a row to promod and the delegate, and returns where to send the person.
    ///
    /// If promod no longer knows the app, or cannot be reached, that is the page in the store that the row has.
    @discardableResult
    public nonisolated func handleAppTap(_ app: PromoApp) async -> TapDestination {
        await MainActorCall.make(within: config.timeout, otherwise: .store(app.storeURL)) { await self.tap(app) }
    }

    /// The bytes of an app's picture, a PNG, JPEG or WebP; nil if there is none yet. Show ``PromoApp/placeholder`` until then.
    ///
    /// The picture is read from ``PromoApp/iconFile``, or sent by promod if a sandbox does not show that file.
    public nonisolated func icon(of app: PromoApp) async -> Data? {
        if let data = await Self.picture(in: app.iconFile) { return data }
        guard config.loadsIcons else { return nil }
        return try? await config.answer(to: .command(.icon(app: app.id, host: config.host))).read(IconResult.init)
            .picture
    }

    private nonisolated static func picture(in file: URL?) async -> Data? {
        await withTaskExecutorPreference(PromoExecutor.shared) { await readPicture(in: file) }
    }

    @concurrent
    private nonisolated static func readPicture(in file: URL?) async -> Data? { PictureFile.read(file) }

    /// Reports to promod and the delegate that a row was seen, but only once in the life of the service.
    public func handleAppImpression(_ app: PromoApp) {
        guard impressions.add(app.id) else { return }
        eventDelegate?.promoService(self, didEmit: .impression(appID: app.id))
    }

    /// Returns when every impression so far was reported to promod, or could not be.
    package func finishImpressions() async {
        await impressions.finish()
    }
}

extension PromoService {
    private func reload() async {
        guard !isPreview else { return }
        refreshFailure = nil
        await load()
        subscribe()
    }

    private func refresh() async {
        guard !isPreview else { return }
        loads += 1
        defer { loads -= 1 }
        var failure: PromoError?
        do {
            let parameters = RefreshParameters(host: try config.checkedHost())
            let answer = try await config.answer(to: .command(.refresh(parameters)))
            failure = try answer.read(RefreshResult.init).failure
        } catch {
            failure = error
        }
        await reload()
        guard let failure, failure.code != .cancelled, error?.code != .notConfigured else { return }
        refreshFailure = failure
        error = failure
    }

    private func tap(_ app: PromoApp) async -> TapDestination {
        eventDelegate?.promoService(self, didEmit: .tap(appID: app.id))
        do {
            let tap = TapParameters(app: app.id, host: try config.checkedHost(), language: config.resolvedLanguage)
            let result = try await config.answer(to: .tap(tap)).read(TapResult.init)
            guard let storeURL = URL(https: result.storeURL) else { return .store(app.storeURL) }
            return result.offlineMessage.map { .offline(message: $0, storeURL: storeURL) } ?? .store(storeURL)
        } catch {
            return .store(app.storeURL)
        }
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
            guard error.code != .cancelled else { return loadCancelled() }
            guard number > lastApplied else { return }
            lastApplied = number
            fail(error)
        }
    }

    private func fetchList() async throws(PromoError) -> ListResult {
        var parameters = ListParameters(
            host: try config.checkedHost(), language: .all,
            unlaunched: config.hidesLaunchedApps, icons: config.loadsIcons)
        let listing = try await config.answer(to: .list(parameters)).read(ListResult.init)
        guard listing.freshness.state == .loading else { return listing }
        parameters.wait = true
        return try await config.answer(to: .list(parameters)).read(ListResult.init)
    }

    private func apply(_ listing: ListResult) throws(PromoError) {
        apps = try listing.promoApps()
        let (new, old) = (listing.freshness, self.listing?.freshness)
        if new.generation != old?.generation || new.fetchedAt != old?.fetchedAt { refreshFailure = nil }
        self.listing = listing
        error = listing.emptiness == .notConfigured ? .notConfigured : refreshFailure
        state = LoadState(listing)
    }

    /// Restores the state after a cancelled load, unless another load is under way.
    private func loadCancelled() {
        if pending == 1 && state == .loading { state = settled }
    }

    private func fail(_ error: PromoError) {
        self.error = error
        state = apps.isEmpty ? .empty(canRetry: !error.isDevelopersMistake) : .cached
    }

    private func subscribe() {
        guard reloads == nil, error?.isDevelopersMistake != true else { return }
        let changes = EventChannel.changes(for: config.client, in: config.loadsIcons ? [.catalog, .icons] : [.catalog])
        reloads = Task(executorPreference: PromoExecutor.shared) { [weak self] in
            for await _ in changes { await self?.load() }
        }
    }
}

extension PromoService.LoadState {
    init(_ listing: ListResult) {
        self =
            switch listing.freshness.state {
            case .loaded: .loaded
            case .cached: .cached
            case .loading, .empty: .empty(canRetry: listing.canRetry)
            }
    }
}

extension RefreshResult {
    /// The error of a refresh that failed; nil for other outcomes.
    package var failure: PromoError? {
        switch outcome {
        case .updated, .unchanged, .started: nil
        case .failed:
            PromoError(
                .refreshFailed, reason: error?.code.rawValue,
                message: error?.message ?? "The catalog could not be fetched.")
        }
    }
}

extension PromoError {
    /// The error of a list that is empty because no catalog is configured.
    static let notConfigured = PromoError(
        .notConfigured, reason: ErrorReason.noCatalog.rawValue, message: Unconfigured.text)
}
