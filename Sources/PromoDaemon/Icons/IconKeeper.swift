import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Keeps the pictures of one catalog: performs what the schedule in its book decides, and answers requests for pictures.
final class IconKeeper {
    /// The delay of a run after a route has appeared, because the name servers may come a moment later.
    private static let routeDelay: Milliseconds = 2000
    /// The shortest time between two publications during a run, because after each the rows of lists are made again.
    private static let publicationGap: Milliseconds = 1000

    private let perform: CatalogRefresher.Perform
    private unowned let keeper: Keeper
    private let origin: any Origin
    private var log: CatalogLog
    private let store: IconStore

    private var assignment: CatalogRefresher.Assignment
    private var book: IconBook
    private var catalog: PreparedCatalog?
    private var run: IconRun? {
        didSet { if (run == nil) != (oldValue == nil) { keeper.server?.activityChanged() } }
    }
    /// Whether pictures are being fetched.
    var isFetching: Bool { run != nil }
    private var cancelFetch: @Sendable () -> Void = {}
    /// The number of the latest fetch; what earlier ones bring is dropped.
    private var fetch = 0
    /// The requests for a picture, by its address and their clients, until it has come and is read; and the address of each client's.
    private(set) var requests: [String: [Int: (app: String, done: (IconReply) -> Void)]] = [:]
    private var addresses: [Int: String] = [:]
    /// The encoded pictures that unsent replies still refer to, by their files, so that replies share them.
    private var encoded: [String: WeakBytes] = [:]
    /// How many pictures were received since the start, and when the last ones were published.
    private var (arrivals, publishedAt): (Int, Milliseconds) = (0, 0)
    private(set) var snapshot = IconSnapshot()

    init(
        _ keeper: Keeper, _ loaded: LoadedCatalog, _ assignment: CatalogRefresher.Assignment,
        _ perform: @escaping CatalogRefresher.Perform
    ) {
        (self.keeper, self.assignment, self.perform) = (keeper, assignment, perform)
        (log, store, book) = (loaded.log, loaded.icons, loaded.book)
        origin = keeper.effects.origin.forIcons()
        renew()
    }

    // MARK: Events

    /// Takes other settings. A run under way begins again if they change its requests.
    func assign(_ next: CatalogRefresher.Assignment, _ log: CatalogLog) {
        let (last, wasRunning) = (assignment, run != nil)
        (assignment, self.log) = (next, log)
        guard !next.isSameRequest(as: last) else { return }
        cancel()
        if wasRunning { asked() }
    }

    /// Takes the catalog that is served, or none.
    func serve(_ next: PreparedCatalog?) {
        guard next?.generation != catalog?.generation else { return }
        catalog = next
        guard next != nil else { return cancel() }
        book.schedule.lost()
        if run != nil { plan(forAll: false) }
    }

    func catalogFetched(_ catalog: PreparedCatalog?) {
        serve(catalog)
        if book.schedule.catalogFetched() { plan(forAll: true) }
    }

    func networkAppeared() {
        keeper.loop.schedule(at: keeper.loop.now + Self.routeDelay) { [weak self] in self?.networkReady() }
    }

    func networkReady() {
        if book.schedule.isAsked { asked() }
    }

    /// A client asks for pictures, which may have the missing ones fetched.
    func asked() {
        let wasAsked = book.schedule.isAsked
        let begins = book.schedule.asked(now: keeper.effects.now()) {
            run == nil && catalog != nil && assignment.fetchesIcons
                && (assignment.isSample || keeper.isOnline())
        }
        if begins { plan(forAll: false) } else if !wasAsked { save() }
    }

    /// Forgets all pictures, and cancels the run under way.
    func clear() {
        cancel()
        _ = book.keep { _, _ in false }
        book.schedule.lost()
        changeFiles { (store) throws(SystemError) in try store.clear() }
        renew()
    }

    /// Cancels the run under way, and answers all requests.
    func stop() {
        cancel()
        for url in requests.keys { answer(url, nil) }
    }

    private func cancel() {
        guard run != nil else { return }
        cancelFetch()
        origin.rest()
        (run, fetch) = (nil, fetch + 1)
        proceedWithAll()
    }

    // MARK: Requests for a picture

    /// Calls back with an app's picture as it is on disk.
    /// - Parameter waits: whether a missing picture is waited for that is being fetched.
    func icon(of app: String, for client: Int, waits: Bool, _ done: @escaping @Sendable (IconReply) -> Void) {
        asked()
        guard let url = catalog?.app(app)?.iconURL, book[url] != nil || waits && isAhead(url) else {
            return done(IconReply(app: app, picture: nil))
        }
        addresses[client] = url
        let isFirst = requests[url] == nil
        requests[url, default: [:]][client] = (app, done)
        if isFirst, book[url] != nil { proceed(with: url) }
    }

    /// A client has hung up, or waits no longer.
    func forget(_ client: Int) {
        if let url = addresses.removeValue(forKey: client) { requests[url]?[client] = nil }
    }

    /// Has a picture read for its requests; without a picture, answers them.
    private func proceed(with url: String) {
        guard requests[url] != nil else { return }
        guard let icon = book[url] else { return answer(url, nil) }
        if let base64 = encoded[icon.fileName]?.bytes { return answer(url, (icon.mediaType, base64)) }
        keeper.disk.async { [store, perform] in
            let base64 = store.base64(of: icon)
            perform { $0.icons.wasRead(icon, of: url, base64) }
        }
    }

    private func wasRead(_ icon: StoredIcon, of url: String, _ base64: SharedBytes?) {
        if let base64 {
            if encoded.count >= IconBook.maximumCount { encoded = encoded.filter { $1.bytes != nil } }
            encoded[icon.fileName] = WeakBytes(bytes: base64)
        } else {
            keep { $0 != url || $1.fileName != icon.fileName }
            asked()
        }
        answer(url, base64.map { (icon.mediaType, $0) })
    }

    private func answer(_ url: String, _ picture: (mediaType: String, base64: SharedBytes)?) {
        for (client, request) in requests.removeValue(forKey: url) ?? [:] {
            addresses[client] = nil
            request.done(IconReply(app: request.app, picture: picture))
        }
    }

    private func proceedWithAll() {
        for url in requests.keys where !isAhead(url) { proceed(with: url) }
    }

    // MARK: Fetching

    /// Whether a picture is being fetched, or is to be.
    private func isAhead(_ url: String) -> Bool { run?.isAhead(url) == true }

    /// Begins a run over all pictures or over the missing ones, or makes the one under way agree with the catalog.
    private func plan(forAll isForAll: Bool) {
        guard let urls = catalog?.iconURLs else { return }
        let names = Set(urls)
        keep { url, _ in names.contains(url) }
        var run = run ?? IconRun()
        run.plan(isForAll ? urls : urls.filter { book[$0] == nil })
        self.run = run
        proceedWithAll()
        if run.current == nil { next() }
    }

    /// Forgets pictures that the catalog does not name any more, or whose files are gone or damaged.
    private func keep(where isKept: (String, StoredIcon) -> Bool) {
        guard book.keep(where: isKept) else { return }
        book.schedule.lost()
        publish()
    }

    private func next() {
        let now = keeper.effects.now()
        let next = run?.next { book.schedule.isResting($1, now: now) || book.room(for: $0) == nil }
        next?.skipped.forEach(proceed)
        guard let (text, url) = next?.next else { return finish() }
        fetch += 1
        let request = OriginRequest(
            url: url, validators: book[text]?.validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: book.room(for: text) ?? 0, timeout: assignment.timeout, proxies: assignment.proxies,
            accept: IconFormat.accepted)
        let received: @Sendable (OriginReply) -> Void = {
            [perform, fetch, disk = keeper.disk, store, kept = book[text]] reply in
            // The reply may be large.
            disk.async {
                let icon = Result { () throws(Failure) in try store.store(reply, of: request, besides: kept) }
                perform { $0.icons.ended(fetch, text, url, reply, icon) }
            }
        }
        if assignment.isSample {
            keeper.disk.async { [file = assignment.bundled.first] in
                received(file.map { IconStore.picture(at: url, beside: $0) } ?? SampleCatalog.reply(for: url))
            }
        } else {
            cancelFetch = origin.fetch(request, completion: received)
        }
    }

    private func ended(
        _ number: Int, _ text: String, _ url: HTTPSURL, _ reply: OriginReply, _ result: Result<StoredIcon?, Failure>
    ) {
        guard number == fetch, run != nil else { return }
        let now = keeper.effects.now()
        switch result {
        case .success(let icon):
            let isNew = icon.map { $0.fileName != book[text]?.fileName } ?? false
            run?.succeeded(url, isNew: isNew)
            if isNew { arrivals += 1 }
            if let icon { book[text] = icon }
            if case .notModified(let validators, _) = reply, !validators.isEmpty { book[text]?.validators = validators }
        case .failure(let error):
            run?.failed(url, error, status: reply.httpStatus)
            if let delay = reply.retryAfter { book.schedule.rest(url, for: delay, now: now) }
        }
        if arrivals > snapshot.arrivals, keeper.loop.now - publishedAt >= Self.publicationGap { publish() }
        proceed(with: text)
        next()
    }

    private func finish() {
        guard let ended = run else { return }
        run = nil
        let isKnown = book.schedule.ended(ended, now: keeper.effects.now())
        origin.rest()
        if arrivals > snapshot.arrivals { publish() } else { save() }
        if !isKnown { log.iconsFetched(ended) }
        proceedWithAll()
    }

    /// Stores the book, unless a fetch is under way: the file of its picture would be removed, because it is not in the book yet.
    private func save() {
        guard run?.current == nil else { return }
        changeFiles { [book, perform] (store) throws(SystemError) in
            let gone = try store.write(book)
            if !gone.isEmpty { perform { $0.icons.lost(gone) } }
        }
    }

    /// Somebody has removed files.
    private func lost(_ files: Set<String>) {
        keep { !files.contains($1.fileName) }
        if book.schedule.isAsked { asked() }
    }

    private func changeFiles(_ change: @escaping @Sendable (IconStore) throws(SystemError) -> Void) {
        keeper.disk.async { [store, log] in
            do { try change(store) } catch {
                log(.iconsFailed, "The icons' files could not be changed: \(error)", ["error": "storage"])
            }
        }
    }

    /// Stores and publishes other pictures.
    private func publish() {
        save()
        (snapshot.arrivals, publishedAt) = (arrivals, keeper.loop.now)
        renew()
        keeper.publish()
    }

    private func renew() {
        snapshot.number += 1
        snapshot.path = { [book, store] url in book[url].map(store.path) }
    }
}

private struct WeakBytes {
    weak var bytes: SharedBytes?
}

extension CatalogLog {
    fileprivate func iconsFetched(_ run: IconRun) {
        if run.arrivals > 0 { self(.iconsStored, "Fetched \(run.arrivals.counting("icon")).") }
        guard let failed = run.failed else { return }
        let count = failed.count + run.skipped
        self(
            .iconsFailed,
            "\(count.counting("icon")) could not be fetched or stored. The first failure: \(failed.first)",
            ["count": "\(count)"])
    }
}
