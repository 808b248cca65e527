import Dispatch
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// Keeps the pictures of one catalog: after a client has asked, it fetches the missing and old ones, one at a time.
final class IconKeeper {
    /// How long an address waits whose host did not answer others, and every address after the disk refused a picture.
    private static let pause = Duration.seconds(3600)

    private let perform: CatalogRefresher.Perform
    private unowned let keeper: Keeper
    private let origin: any Origin
    private let log: CatalogLog
    private let store: IconStore

    private var assignment: CatalogRefresher.Assignment
    private(set) var book: IconBook
    private var catalog: PreparedCatalog?
    /// The addresses of the catalog's pictures; none before a client has asked for some.
    private var urls: [String] = []
    /// The run over the pictures that are due, and what cancels its fetch.
    private var run: IconRun?
    private var cancelFetch: @Sendable () -> Void = {}
    /// The requests that wait for a picture, by its address.
    private(set) var waiters: [String: [(client: Int, waiter: () -> Void)]] = [:]
    /// The number of the latest fetch; a reply to an earlier one is ignored.
    private var fetch = 0
    private var arrivals = 0
    /// The number of the last published state.
    private var number = 0
    private var encoded = EncodedPictures()
    /// The published state; nil if no client has asked yet and there are no pictures.
    private(set) var snapshot: IconSnapshot?

    init(
        _ keeper: Keeper, _ loaded: LoadedCatalog, _ assignment: CatalogRefresher.Assignment,
        _ perform: @escaping CatalogRefresher.Perform
    ) {
        (self.keeper, self.assignment, self.perform) = (keeper, assignment, perform)
        (log, store, book) = (loaded.log, loaded.icons, loaded.book)
        origin = keeper.effects.origin.forIcons()
    }

    // MARK: What is served

    /// Takes other settings. A run under way begins again if they change its requests.
    func assign(_ next: CatalogRefresher.Assignment) {
        let (last, wasFetching) = (assignment, run != nil)
        assignment = next
        if !next.isSameRequest(as: last) { cancel() }
        if snapshot != nil { renew() }
        if wasFetching { asked() }
        answerWaiters()
    }

    func serve(_ next: PreparedCatalog?) {
        guard next?.generation != catalog?.generation else { return }
        let (before, wasFetching) = (urls, run != nil)
        cancel()
        catalog = next
        urls = snapshot == nil && book.isEmpty ? [] : next?.iconURLs ?? []
        defer { answerWaiters() }
        guard next != nil else { return snapshot = nil }
        if assignment.fetchesIcons {
            let known = book
            // A client may still show the apps of the previous generation.
            book.keep(only: Set(urls).union(before))
            if book != known { save() }
        }
        if snapshot != nil || !book.isEmpty { renew() }
        if wasFetching { asked() }
    }

    /// Forgets all pictures, and cancels the fetch under way.
    func clear() {
        stop()
        keeper.disk.async { [store, log] in
            do { try store.clear() } catch { log.iconsNotWritten("The icons could not be removed: \(error)") }
        }
        guard snapshot != nil || !book.isEmpty else { return }
        book = IconBook()
        renew()
    }

    /// Cancels the fetch under way, and answers the requests that wait for pictures.
    func stop() {
        cancel()
        encoded.stop()
        answerWaiters()
    }

    private func cancel() {
        if run != nil {
            cancelFetch()
            origin.rest()
        }
        run = nil
        fetch += 1
    }

    /// Forgets the pictures whose files are gone, so that the next request fetches them again.
    func checkFiles() {
        guard !book.isEmpty else { return }
        keeper.disk.async { [store, book, perform] in
            let missing = book.missing(store.isThere)
            if !missing.isEmpty { perform { $0.icons.forget(missing) } }
        }
    }

    private func forget(_ missing: [String: StoredIcon]) {
        book.forget(missing)
        renew()
        keeper.publish()
    }

    // MARK: Requests

    func asked() {
        guard let catalog else { return }
        if snapshot == nil {
            urls = catalog.iconURLs
            renew()
            keeper.publish()
        }
        // Not before the time since which a missing picture is due.
        let now = keeper.effects.now()
        guard run == nil, snapshot?.isDue(now: now) == true, assignment.isSample || keeper.effects.isOnline() else {
            return
        }
        let due = urls.filter { book.isDue($0, interval: interval, now: now) }
        if !due.isEmpty {
            run = IconRun(due, now: keeper.effects.uptime())
            next()
        }
        renew()
        keeper.publish()
    }

    func forget(_ client: Int) {
        for url in waiters.keys { waiters[url]?.removeAll { $0.client == client } }
    }

    /// Answers those whose pictures have come, or do not come now.
    private func answerWaiters() {
        for url in waiters.keys where run?.isAhead(url) != true {
            for waiting in waiters.removeValue(forKey: url) ?? [] { waiting.waiter() }
        }
    }

    /// Has missing and old pictures fetched, and calls back with an app's picture as it is on disk.
    /// - Parameter client: who waits for a missing picture that is being fetched; nil if nobody does.
    func icon(of app: String, for client: Int?, _ done: @escaping @Sendable (IconReply) -> Void) {
        asked()
        guard let url = catalog?.app(app)?.iconURL else { return done(IconReply(app: app, picture: nil)) }
        guard let client else { return read(url, of: app, done) }
        guard book[url] != nil else { return read(url, of: app, for: client, done) }
        read(url, of: app) { [inbox = keeper.inbox, digest = assignment.digest] reply in
            if reply.picture != nil { return done(reply) }
            // Its file has turned out to be gone, or the catalog has.
            inbox.submit { keeper in
                guard let icons = keeper.catalogs.refreshers[digest]?.icons else { return done(reply) }
                icons.read(url, of: app, for: client, done)
            }
        }
    }

    /// Reads a picture when it has come, or does not come now.
    private func read(
        _ url: String, of app: String, for client: Int, _ done: @escaping @Sendable (IconReply) -> Void
    ) {
        guard run?.isAhead(url) == true else { return read(url, of: app, done) }
        waiters[url, default: []].append((client, { [unowned self] in read(url, of: app, done) }))
    }

    private func read(_ url: String, of app: String, _ done: @escaping @Sendable (IconReply) -> Void) {
        guard let icon = book[url] else { return done(IconReply(app: app, picture: nil)) }
        let isRead = encoded.ask(icon.digest) { base64 in
            done(IconReply(app: app, picture: base64.map { (icon.format.mediaType, $0) }))
        }
        guard isRead else { return }
        keeper.disk.async { [store, perform] in
            let base64 = store.bytes(of: icon).map { SharedBytes(Base64.encode($0)) }
            perform { refresher in
                if base64 == nil {
                    refresher.icons.forget([url: icon])
                    refresher.icons.asked()
                }
                refresher.icons.encoded.read(icon.digest, base64)
            }
        }
    }

    // MARK: Fetching

    private func next() {
        let next = run?.next()
        answerWaiters()
        guard let (text, url) = next else { return finish() }
        fetch += 1
        let request = OriginRequest(
            url: url, validators: book[text]?.validators ?? Validators(), caFile: assignment.caFile,
            maximumBytes: IconBook.maximumSize, timeout: assignment.timeout, proxies: assignment.proxies,
            accept: IconFormat.accepted)
        let origin: any Origin = assignment.isSample ? SamplePictures() : origin
        let now = keeper.effects.now
        cancelFetch = origin.fetch(request) { [perform, fetch, disk = keeper.disk, store, book] reply in
            // The reply may be large.
            disk.async {
                let picture = Self.store(reply, of: text, url, in: store, besides: book, now: now())
                perform { $0.icons.ended(fetch, text, url, reply, picture) }
            }
        }
    }

    /// Stores the picture in a reply, unless the book has it.
    /// - Returns: the picture, and whether it is new; nil if the origin has confirmed the last one.
    private static func store(
        _ reply: OriginReply, of text: String, _ url: HTTPSURL, in store: IconStore, besides book: IconBook,
        now: Timestamp
    ) -> Result<(icon: StoredIcon, isNew: Bool)?, Failure> {
        Result { () throws(Failure) in
            switch reply {
            case .notModified: return nil
            case .failed(let failure, _, _): throw failure.code == .tooLarge ? IconBook.tooLarge(url) : failure
            case .body(let bytes, let validators, _, _):
                let icon = try StoredIcon(bytes, of: url, validators: validators, fetchedAt: now)
                try book.checkRoom(for: icon, of: text, at: url)
                guard book[text]?.digest != icon.digest else { return (icon, false) }
                do throws(SystemError) { try store.write(bytes, of: icon) } catch {
                    throw Failure(.storage, "The icon \(url.brief) cannot be stored: \(error).")
                }
                return (icon, true)
            }
        }
    }

    private func ended(
        _ number: Int, _ text: String, _ url: HTTPSURL, _ reply: OriginReply,
        _ picture: Result<(icon: StoredIcon, isNew: Bool)?, Failure>
    ) {
        guard number == fetch, run != nil else { return }
        let now = keeper.effects.now()
        switch picture {
        case .success(let stored):
            if let stored {
                book.enter(stored.icon, of: text)
                if stored.isNew { run?.arrived() }
            } else if case .notModified(let validators, _) = reply {
                book.confirm(text, validators, at: now)
            }
            run?.succeeded(url)
        case .failure(let error):
            let retryAfter = reply.retryAfter(now: now)
            run?.failed(url, error, retryAfter: retryAfter)
            if error.code == .storage { run?.skipRest() }
            // The address is not to blame for the disk.
            let pause = error.code == .storage ? .zero : retryAfter
            book.fail(text, until: now + (pause.map(wait) ?? interval))
        }
        if let count = run?.takeUnpublished(now: keeper.effects.uptime()) { publish(count) }
        next()
    }

    private func finish() {
        guard let ended = run else { return }
        let now = keeper.effects.now()
        for (text, retryAfter) in ended.skipped {
            book.fail(text, until: now + wait(retryAfter ?? .zero))
        }
        run = nil
        publish(ended.unpublished)
        origin.rest()
        log.iconsFetched(ended)
    }

    /// The wait of an address because of the disk or of its host, which may have asked for a longer one with Retry-After.
    private func wait(_ retryAfter: Duration) -> Duration {
        min(max(retryAfter, min(Self.pause, interval)), RetryAfter.longest)
    }

    /// Stores the book, adds `count` to the arrivals, and publishes.
    private func publish(_ count: Int) {
        save()
        arrivals += count
        renew()
        keeper.publish()
    }

    private func save() {
        keeper.disk.async { [store, book, log] in
            do { try store.write(book) } catch { log.iconsNotWritten("The icon index could not be written: \(error)") }
        }
    }

    // MARK: The snapshot

    /// The age at which a picture is fetched again, and the wait after a failure.
    private var interval: Duration { assignment.policy.interval }

    private func renew() {
        guard catalog != nil else { return }
        let now = keeper.effects.now()
        let isDueAtAll = assignment.fetchesIcons && run == nil
        // A missing picture is overdue.
        let dueAt = isDueAtAll ? urls.map { book.dueAt($0, interval: interval, now: now) ?? now }.min() : nil
        number += 1
        snapshot = IconSnapshot(
            number: number, dueAt: dueAt, arrivals: arrivals, path: { [book, store] url in book[url].map(store.path) })
    }
}

extension CatalogLog {
    func iconsForgotten(_ reason: StoredFile<IconBook>.Problem) {
        self(.iconsForgotten, "The icons are forgotten, and are fetched again when a client asks for them: \(reason)")
    }

    func iconsNotWritten(_ message: String) {
        self(.iconsFailed, message, ["error": "storage"])
    }

    func iconsFetched(_ run: IconRun) {
        if run.arrivals > 0 { self(.iconsStored, "Fetched \(run.arrivals.counting("icon")).") }
        guard let failed = run.failed else { return }
        let count = failed.count + run.skipped.count
        let skipped =
            run.skipped.isEmpty ? "" : " \(run.skipped.count) of them were not tried, because earlier ones failed."
        self(
            .iconsFailed,
            "\(count.counting("icon")) could not be fetched or stored. The first failure: \(failed.first)\(skipped)",
            ["count": "\(count)"])
    }
}
