import CLinux
import Dispatch
public import FoundationEssentials
public import Observation
import PromoSystem
import PromoWire

/// The list of apps that a host app promotes, kept up to date by promod.
///
/// If promod is not running, slow or restarted, the last list stays and ``error`` says what is wrong, until it is over. No request waits
/// longer than the configuration's timeout, or two minutes if it waits for a fetch; ``forceRefresh()`` makes up to three.
@MainActor
@Observable
public final class PromoService {
    /// The state of the list.
    public enum LoadState: Equatable, Sendable {
        /// The list was never loaded.
        case idle
        /// The first list is on its way.
        case loading
        /// The list is fresh.
        case loaded
        /// The list has expired, or promod cannot be reached. The last list is shown.
        case cached
        /// There is nothing to show: ``PromoService/error`` or ``PromoList/emptyReason`` says why. `canRetry` is
        /// ``PromoService/canRetry``.
        case empty(canRetry: Bool)
    }

    /// The apps to show, in the catalog's order; the host app is not among them.
    public var apps: [PromoApp] { answer.apps }
    /// The state of the list.
    public var state: LoadState { answer.state(isLoading: isLoading) }
    /// Why there is no list, or no newer one than the one that is old; nil if nothing is wrong.
    public var error: PromoError? { answer.error }
    /// The last list that promod sent; nil until the first.
    public var list: PromoList? { answer.list }

    /// What to say about the list in the person's language, such as why it is empty or how old it is; nil for nothing.
    public var notice: String? {
        let sentences = MoreAppsContent(of: self).notices(now: .now).filter { $0.kind != .action }.map(\.text)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Whether "Try Again" may help, which is ``forceRefresh()``.
    public var canRetry: Bool { answer.canRetry }

    /// The title of the action that tries again, in the person's language.
    public var retryTitle: String { Words(in: config.resolvedLanguage).tryAgain }

    /// Whether a load, a refresh or the first fetch is under way.
    public var isLoading: Bool { loads > 0 || answer.isFetching || seemsLoading }

    /// Receives this service's events. The service does not retain it.
    @ObservationIgnored public weak var eventDelegate: (any PromoEventDelegate)?
    /// The configuration of the service.
    @ObservationIgnored public let config: PromoConfig

    /// All that this service says about its list, but whether more is under way.
    private(set) var answer = LastAnswer()
    private var loads = 0
    /// Whether a preview shows that more is under way.
    private var seemsLoading = false
    @ObservationIgnored private let client: PromoClient
    /// Whether promod fetches the apps' pictures.
    @ObservationIgnored private var loadsIcons: Bool
    /// What a preview does in place of a load or a refresh; nil if this is no preview.
    @ObservationIgnored private let rehearsal: (@MainActor (PromoService) async -> Void)?
    /// Reloads the list when it may have changed.
    @ObservationIgnored private var reloads: Task<Void, Never>?
    /// Whether the first subscription is being made, after which the first list is loaded.
    @ObservationIgnored private var isSubscribing = false
    /// The wait before the next load after one that failed.
    @ObservationIgnored var pause = firstPause
    @ObservationIgnored private var isLoadPlanned = false
    private static let (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(60))
    /// How long promod may take for what a person waits for who has tapped a row, or leaves.
    private static let tapTimeout = Duration.seconds(2)
    @ObservationIgnored private let reporter: PromoClient
    @ObservationIgnored private let impressions: ImpressionReport
    /// Whether the kernel has a route to a global address.
    @ObservationIgnored package var isOnline: @Sendable () -> Bool = { promod_has_global_route() != 0 }

    /// Creates a service, which asks promod nothing until ``loadApps()``.
    public convenience init(config: PromoConfig, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.init(config: config, rehearsal: nil)
        self.eventDelegate = eventDelegate
    }

    /// Creates a service of the host app with an id, which asks promod nothing until ``loadApps()``.
    public convenience init(currentAppID: String, eventDelegate: (any PromoEventDelegate)? = nil) {
        self.init(config: PromoConfig(currentAppID: currentAppID), eventDelegate: eventDelegate)
    }

    private init(config: PromoConfig, rehearsal: (@MainActor (PromoService) async -> Void)?) {
        self.config = config
        self.rehearsal = rehearsal
        (client, loadsIcons) = (config.client, config.loadsIcons)
        var quick = config
        quick.timeout = min(config.timeout, Self.tapTimeout)
        reporter = quick.client
        impressions = ImpressionReport(reporter)
    }

    deinit {
        reloads?.cancel()
    }

    // MARK: Previews

    /// A service in the given state that never asks promod, for previews and tests of a host app. In place of a load or a refresh it calls
    /// `load`, which may give it another state. With an error, a list is ``LoadState/cached``, and an empty one can be retried unless
    /// that cannot help; without apps, a list is ``LoadState/empty(canRetry:)``. The parameters are those of
    /// ``preview(_:apps:error:source:fetchedAt:isHostKnown:isLoading:)``.
    public static func preview(
        _ state: LoadState = .idle, apps: [PromoApp] = [], error: PromoError? = nil,
        source: PromoList.Source? = nil, fetchedAt: Date? = nil, isHostKnown: Bool? = nil, isLoading: Bool = false,
        load: @escaping @MainActor (PromoService) async -> Void = { _ in }
    ) -> PromoService {
        let service = PromoService(config: PromoConfig(currentAppID: ""), rehearsal: load)
        service.preview(
            state, apps: apps, error: error, source: source, fetchedAt: fetchedAt, isHostKnown: isHostKnown,
            isLoading: isLoading)
        return service
    }

    /// Gives a preview another state; another service stays as it is. `source` is where the list comes from, such as the sample, and
    /// `fetchedAt` is said of one that is ``LoadState/cached``.
    public func preview(
        _ state: LoadState, apps: [PromoApp] = [], error: PromoError? = nil,
        source: PromoList.Source? = nil, fetchedAt: Date? = nil, isHostKnown: Bool? = nil, isLoading: Bool = false
    ) {
        guard rehearsal != nil else { return }
        var result = ListResult()
        result.freshness.source = source.flatMap { Freshness.Source(rawValue: $0.rawValue) } ?? .none
        result.freshness.fetchedAt = fetchedAt.map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1000)) }
        result.isHostKnown = isHostKnown
        answer = LastAnswer(state, apps, result)
        answer.failure = error
        seemsLoading = isLoading
    }

    // MARK: Calls

    /// Loads the list from promod, waits for a first fetch that is under way, and keeps the list up to date from then on.
    public nonisolated func loadApps() async {
        await MainActorCall.make(within: config.timeout, otherwise: ()) { await self.reload() }
    }

    /// Has promod fetch the catalog now, and loads the list, as "Try Again" does.
    /// - Returns: a sentence to show if nothing was fetched and ``notice`` does not say why; nil otherwise.
    @discardableResult
    public nonisolated func forceRefresh() async -> String? {
        await MainActorCall.make(within: config.timeout, otherwise: nil) {
            await self.reload { client throws(PromoError) in try await client.refresh() }
        }
    }

    /// Has promod forget the fetched list, and loads the list, as a button "Clear" does.
    /// - Returns: a sentence to show if the list was kept, because no other could be fetched; nil otherwise.
    @discardableResult
    public nonisolated func clear() async -> String? {
        await MainActorCall.make(within: config.timeout, otherwise: nil) {
            await self.reload { client throws(PromoError) in try await client.clear() }
        }
    }

    /// Reports a tap on a row to promod and the delegate, and returns where to send the person, within two seconds.
    ///
    /// If promod no longer knows the app, or cannot be reached, that is the page in the store that the row has, or the message for a person
    /// without a network.
    @discardableResult
    public nonisolated func handleAppTap(_ app: PromoApp) async -> TapDestination {
        await MainActorCall.make(within: config.timeout, otherwise: .store(app.storeURL)) { await self.tap(app) }
    }

    /// Taps a row, as ``handleAppTap(_:)``, and opens its page on the desktop.
    /// - Returns: a sentence to show if there is no network, or if the page could not be opened; nil if it is open.
    public nonisolated func open(_ app: PromoApp) async -> String? {
        await withTaskExecutorPreference(PromoExecutor.shared) {
            switch await handleAppTap(app) {
            case .store(let url):
                await StoreOpener.open(url) ? nil : Words(in: config.resolvedLanguage).open(url.absoluteString)
            case .offline(let message, _): message
            }
        }
    }

    /// The bytes of an app's picture, a PNG, JPEG or WebP; nil if there is none yet. Show ``PromoApp/placeholder`` until then.
    ///
    /// The picture is read from ``PromoApp/iconFile``, or sent by promod if a sandbox does not show that file.
    public nonisolated func icon(of app: PromoApp) async -> Data? {
        if let data = await Self.picture(in: app.iconFile) { return data }
        return config.loadsIcons ? try? await client.icon(of: app.id) : nil
    }

    private nonisolated static func picture(in file: URL?) async -> Data? {
        await withTaskExecutorPreference(PromoExecutor.shared) { await readPicture(in: file) }
    }

    @concurrent
    private nonisolated static func readPicture(in file: URL?) async -> Data? { PictureFile.read(file) }

    /// Reports to promod and the delegate that a row was seen, but only once in the life of the service. If promod is away, it is told when
    /// it is back.
    public func handleAppImpression(_ app: PromoApp) {
        guard impressions.add(app.id) else { return }
        eventDelegate?.promoService(self, didEmit: .impression(appID: app.id))
    }

    /// Returns when every impression so far was reported to promod, or could not be. A program that ends after it printed its list calls it.
    public func finishImpressions() async {
        await withTaskExecutorPreference(PromoExecutor.shared) { await impressions.finish() }
    }
}

extension PromoService {
    /// Has promod fetch the apps' pictures from the next load on, for a view that draws them.
    func loadIcons() {
        guard !loadsIcons else { return }
        loadsIcons = true
        // The next subscription is for the pictures, too.
        reloads?.cancel()
        reloads = nil
    }

    /// The apps' pictures, by id, after those that are not there yet, but for no longer than a list may wait for them.
    func pictures() async -> [String: Data] {
        guard rehearsal == nil else { return [:] }
        let (daemon, apps, host, catalog) = (client.daemon, apps, config.host, try? config.catalog?.checked())
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "CrossPromoKit.pictures").async {
                continuation.resume(returning: daemon.pictures(of: apps, host: host, catalog: catalog))
            }
        }
    }

    private func reload() async {
        loads += 1
        defer { loads -= 1 }
        if let rehearsal { return await rehearsal(self) }
        guard reloads == nil, !isSubscribing, (try? client.checkedHost()) != nil,
            (try? config.catalog?.checked()) != nil || config.catalog == nil
        else { return await load() }
        // The subscription comes before the first list, so that no change is missed between them, and none of it is asked for twice.
        isSubscribing = true
        let changes = EventChannel.changes(for: client.daemon, in: loadsIcons ? [.catalog, .icons] : [.catalog])
        var first = changes.makeAsyncIterator()
        let standing = await first.next()
        isSubscribing = false
        guard let standing else { return }
        await load(after: standing)
        reloads = Task(executorPreference: PromoExecutor.shared) { [weak self] in
            for await change in changes { await self?.load(after: change) }
        }
    }

    /// Loads the list after a request.
    /// - Returns: what to say of the request, if the list does not say it.
    private func reload(after request: (PromoClient) async throws(PromoError) -> Void) async -> String? {
        loads += 1
        defer { loads -= 1 }
        var failure: PromoError?
        if rehearsal == nil { do { try await request(client) } catch { failure = error } }
        await reload()
        guard let failure, failure.code != .cancelled,
            error == nil || !apps.isEmpty || failure.code == .refreshDeferred,
            // A sample and a file that is tested need no refresh.
            ![.sample, .file].contains(list?.source) || failure.reason != ErrorReason.noOrigin.rawValue
        else { return nil }
        return failure.notice(in: Words(in: config.resolvedLanguage), hasList: !apps.isEmpty)
    }

    private func tap(_ app: PromoApp) async -> TapDestination {
        eventDelegate?.promoService(self, didEmit: .tap(appID: app.id))
        guard rehearsal == nil else { return .store(app.storeURL) }
        do {
            return try await reporter.tap(app.id)
        } catch {
            guard !isOnline() else { return .store(app.storeURL) }
            return .offline(message: OfflineMessage.text(in: config.resolvedLanguage), storeURL: app.storeURL)
        }
    }

    /// Loads the list after a change, or shows that promod is away.
    private func load(after change: EventChannel.Change) async {
        switch change {
        case .away(let error) where error.code != .refused: answer.failure = error
        case .away, .changed: await load()
        }
    }

    private func load() async {
        loads += 1
        defer { loads -= 1 }
        do {
            // The answers come in the order of the requests.
            answer = LastAnswer(
                try await client.list(hidesLaunchedApps: config.hidesLaunchedApps, loadsIcons: loadsIcons))
            pause = Self.firstPause
            answer.list.flatMap { Mistake(host: config.host, of: $0) }?.tell()
            // Those that were seen while promod was away.
            impressions.send()
        } catch {
            if error.code == .cancelled { return }
            answer.failure = error
            loadLater()
        }
        Mistake(answer.error)?.tell()
    }

    /// Plans another load if no event will say that the trouble is over.
    private func loadLater() {
        guard !isLoadPlanned, answer.failure?.endsWithoutEvent == true else { return }
        isLoadPlanned = true
        Pending<Void>().expire(at: .after(pause), with: ()) { [weak self] in
            Task(executorPreference: PromoExecutor.shared) { await self?.loadAgain() }
        }
        pause = min(pause * 2, Self.longestPause)
    }

    private func loadAgain() async {
        isLoadPlanned = false
        if answer.failure?.endsWithoutEvent == true { await load() }
    }
}
