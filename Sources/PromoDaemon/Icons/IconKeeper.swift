import Dispatch
import Logging
import PromoCore
import PromoProcess
import PromoWire

/// Keeps the pictures of one catalog: when a client has asked, it fetches those that are missing or old, one at a time.
///
/// It belongs to a catalog's refresher and runs on the control plane's queue.
final class IconKeeper {
    /// How pictures are fetched.
    struct Settings: Sendable {
        /// Whether they are fetched at all, which they are not while the configuration is broken or another promod keeps the cache.
        var isOn: Bool
        /// Whether they are those of the sample, which promod has itself.
        var isSample: Bool
        /// Whether another promod keeps the cache, and nothing is written.
        var isReading: Bool
        /// The age at which a picture is old, and the wait after a failure.
        var interval: Duration
        var caFile: String?
        var timeout: Duration
        var proxies: Proxies
    }

    /// A run over the pictures that are due.
    private struct Run {
        var icons: IconRun
        /// Cancels the fetch under way.
        var cancel: @Sendable () -> Void = {}
        /// When pictures were published last.
        var publishedAt: Milliseconds
        /// How many pictures have come.
        var arrived = 0
        /// How many of them are not published yet.
        var unpublished = 0
    }

    private final class Encoded {
        weak var base64: SharedBytes?
    }

    /// How long an address waits whose host did not answer others, and all wait after the disk has refused one.
    private static let pause = Duration.seconds(3600)
    /// The shortest time between two publications during a run.
    private static let publicationGap: Milliseconds = 1000

    /// Runs a body with the keeper on the control plane's queue, unless the catalog is not kept any more.
    typealias Enter = @Sendable (_ body: @escaping @Sendable (IconKeeper) -> Void) -> Void

    private let enter: Enter
    private let effects: ControlPlane.Effects
    private let origin: any Origin
    private let log: CatalogLog
    private let store: IconStore
    /// Called when the snapshot has changed.
    private let changed: () -> Void

    private var settings: Settings
    private var book = IconBook()
    /// The book's file when it was read.
    private var seen: FileIdentity?
    private var catalog: PreparedCatalog?
    /// The addresses of the catalog's icons.
    private var urls: [String] = []
    private var run: Run?
    private var waiters: [@Sendable () -> Void] = []
    /// Numbers fetches, so that a reply to an earlier one is not taken.
    private var fetch = 0
    private var arrivals = 0
    /// The end of the pause after the disk has refused a picture.
    private var pausedUntil: Timestamp?
    /// The pictures that some reply still has, encoded, by their digests.
    private var encoded: [String: Encoded] = [:]
    /// The published state; nil if no client has asked yet and there are no pictures.
    private(set) var snapshot: IconSnapshot?

    /// A keeper of the pictures in a catalog's cache.
    init(
        effects: ControlPlane.Effects, log: CatalogLog, cache: PrivateDirectory, settings: Settings,
        enter: @escaping Enter, changed: @escaping () -> Void
    ) {
        self.enter = enter
        self.effects = effects
        origin = effects.origin.forIcons()
        self.log = log
        store = IconStore(cache: cache)
        self.settings = settings
        self.changed = changed
    }

    // MARK: What is served

    /// Reads which pictures are on disk.
    func start(_ settings: Settings) {
        self.settings = settings
        read()
    }

    private func read() {
        seen = store.identity
        do {
            book = try store.read() ?? IconBook()
        } catch {
            log(.iconsForgotten, "The icons are forgotten, and are fetched again when a client asks for them: \(error)")
        }
    }

    /// Reads again which pictures are on disk, if the promod that keeps them has written that.
    func follow() {
        guard store.identity != seen else { return }
        let known = book.fileNames
        read()
        arrivals += book.fileNames.subtracting(known).count
        if snapshot != nil || !book.isEmpty { renew() }
        changed()
    }

    /// Takes over other settings.
    func assign(_ settings: Settings) {
        self.settings = settings
        if snapshot != nil { renew() }
    }

    /// Another catalog is served, or none.
    func serve(_ next: PreparedCatalog?) {
        guard next?.generation != catalog?.generation else { return }
        let (before, wasFetching) = (urls, run != nil)
        cancel()
        catalog = next
        urls = next?.iconURLs ?? []
        guard next != nil else {
            answerWaiters()
            return snapshot = nil
        }
        if settings.isOn {
            let known = book
            // A client may still show the apps of the generation before.
            book.keep(only: Set(urls).union(before))
            if book != known { save() }
        }
        if snapshot != nil || !book.isEmpty { renew() }
        if wasFetching { asked() }
        if run == nil { answerWaiters() }
    }

    /// Forgets all pictures, and cancels the fetch under way.
    func clear() {
        stop()
        pausedUntil = nil
        do {
            try store.clear()
        } catch {
            log(.iconsFailed, "The icons were not removed: \(error)", ["error": "storage", "count": "0"])
        }
        guard snapshot != nil || !book.isEmpty else { return }
        book = IconBook()
        renew()
    }

    /// Cancels the fetch under way, and answers who waits for it.
    func stop() {
        cancel()
        answerWaiters()
    }

    private func cancel() {
        run?.cancel()
        origin.rest()
        run = nil
        fetch += 1
    }

    /// Forgets the pictures whose files are gone.
    func checkFiles() {
        if snapshot != nil { renew() }
    }

    // MARK: Requests

    /// A client has asked for pictures.
    func asked() {
        guard let catalog else { return }
        let now = effects.now()
        if snapshot == nil {
            renew(catalog)
            changed()
        }
        guard run == nil, snapshot?.isDue(now: now) == true, settings.isSample || effects.isOnline() else {
            return
        }
        let due = urls.filter { book.isDue($0, interval: settings.interval, now: now) }
        if !due.isEmpty {
            run = Run(icons: IconRun(due), publishedAt: effects.uptime())
            next()
        }
        renew(catalog)
        changed()
    }

    /// Fetches what is due, and calls back when that has ended, or at once if there is nothing to fetch.
    func await(_ completion: @escaping @Sendable () -> Void) {
        asked()
        if run == nil { completion() } else { waiters.append(completion) }
    }

    private func answerWaiters() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter() }
    }

    /// The picture of an app, as it lies on disk; missing ones are fetched afterwards.
    func icon(of app: String) -> IconReply {
        defer { asked() }
        guard let url = catalog?.iconURL(of: app), let icon = book[url] else {
            return IconReply(app: app, picture: nil)
        }
        if let base64 = base64(of: icon) {
            return IconReply(app: app, picture: (icon.format.mediaType, base64))
        }
        book.forget(url)
        renew()
        changed()
        return IconReply(app: app, picture: nil)
    }

    private func base64(of icon: StoredIcon) -> SharedBytes? {
        if let shared = encoded[icon.digest]?.base64 { return shared }
        guard let bytes = store.bytes(of: icon) else { return nil }
        let shared = SharedBytes(Base64.encode(bytes))
        encoded = encoded.filter { $1.base64 != nil }
        let entry = Encoded()
        entry.base64 = shared
        encoded[icon.digest] = entry
        return shared
    }

    // MARK: Fetching

    private func next() {
        guard let (text, url) = run?.icons.next() else { return finish() }
        // Confirmed by the origin, a picture whose file is gone would never come back.
        if let icon = book[text], !store.isThere(icon) { book.forget(text) }
        fetch += 1
        let request = OriginRequest(
            url: url, validators: book[text]?.validators ?? Validators(), caFile: settings.caFile,
            maximumBytes: IconBook.maximumSize, timeout: settings.timeout, proxies: settings.proxies,
            accept: IconFormat.accepted)
        let origin: any Origin = settings.isSample ? SamplePictures() : origin
        run?.cancel = origin.fetch(request) { [enter, fetch] reply, _ in
            enter { $0.ended(fetch, text, url, reply) }
        }
    }

    private func ended(_ number: Int, _ text: String, _ url: HTTPSURL, _ reply: OriginReply) {
        guard number == fetch, run != nil else { return }
        let now = effects.now()
        do throws(Failure) {
            try take(reply, text, url, now)
            run?.icons.succeeded(url)
        } catch {
            guard error.code != .storage else { return refused(url, error) }
            let retryAfter = reply.retryAfter(now: now)
            run?.icons.failed(url, error, httpStatus: reply.httpStatus, retryAfter: retryAfter)
            book.fail(text, until: now + (retryAfter.map(wait) ?? settings.interval))
        }
        publishSome()
        next()
    }

    /// The disk has refused something, for which the address is not to blame. It will not take the next picture either.
    private func refused(_ url: HTTPSURL, _ failure: Failure) {
        run?.icons.failed(url, failure)
        pausedUntil = effects.now() + Self.pause
        finish()
    }

    /// Stores a picture that has come.
    private func take(_ reply: OriginReply, _ text: String, _ url: HTTPSURL, _ now: Timestamp) throws(Failure) {
        switch reply {
        case .notModified(let validators, _):
            book.confirm(text, validators, at: now)
        case .failed(let failure, _, _):
            throw failure.code == .tooLarge ? IconBook.tooLarge(url) : failure
        case .body(let bytes, let validators, _):
            let icon = try StoredIcon(bytes, of: url, validators: validators, fetchedAt: now)
            try book.checkRoom(for: icon, of: text, at: url)
            if book[text]?.digest != icon.digest {
                do throws(SystemError) {
                    try store.write(bytes, of: icon)
                } catch {
                    throw Failure(.storage, "The icon \(url.brief) cannot be stored: \(error).")
                }
                run?.arrived += 1
                run?.unpublished += 1
            }
            book.enter(icon, of: text)
        }
    }

    /// Publishes what has come so far, if that is worth it: the effort grows with the number of apps.
    private func publishSome() {
        guard let run, run.unpublished > 0, run.unpublished >= run.arrived / 4,
            effects.uptime() - run.publishedAt >= Self.publicationGap
        else { return }
        self.run?.unpublished = 0
        self.run?.publishedAt = effects.uptime()
        publish(run.unpublished)
    }

    private func finish() {
        guard let ended = run else { return }
        let now = effects.now()
        for (text, retryAfter) in ended.icons.skipped {
            book.fail(text, until: now + wait(retryAfter ?? .zero))
        }
        run = nil
        publish(ended.unpublished)
        origin.rest()
        report(ended)
        answerWaiters()
    }

    /// How long an address waits because of its host, which may have asked for a longer wait with Retry-After.
    private func wait(_ retryAfter: Duration) -> Duration {
        min(max(retryAfter, min(Self.pause, settings.interval)), RetryAfter.longest)
    }

    private func report(_ run: Run) {
        if run.arrived > 0 { log(.iconsStored, "\(run.arrived.counting("icon")) came.") }
        if let failed = run.icons.failed {
            let count = failed.count + run.icons.skipped.count
            let skipped =
                run.icons.skipped.isEmpty
                ? "" : " \(run.icons.skipped.count) of them were not tried, because their hosts do not answer."
            log(
                .iconsFailed,
                "\(count.counting("icon")) could not be fetched, and the first because: \(failed.first)\(skipped)",
                ["count": "\(count)"])
        }
    }

    /// Stores what is known, and publishes it with so many pictures that have come.
    private func publish(_ count: Int) {
        save()
        arrivals += count
        renew()
        changed()
    }

    private func save() {
        do {
            try store.write(book)
        } catch {
            log(.iconsFailed, "Which icons there are was not stored: \(error)", ["error": "storage", "count": "0"])
        }
    }

    // MARK: The snapshot

    private func renew() {
        if let catalog { renew(catalog) }
    }

    private func renew(_ catalog: PreparedCatalog) {
        let now = effects.now()
        book.keep(where: store.isThere)
        let isDueAtAll = settings.isOn && run == nil
        // What is missing is overdue.
        var dueAt = isDueAtAll ? urls.map { book.dueAt($0, interval: settings.interval, now: now) ?? now }.min() : nil
        if let pausedUntil, pausedUntil <= now + Self.pause { dueAt = dueAt.map { max($0, pausedUntil) } }
        snapshot = IconSnapshot(
            rows: catalog.rowsWithIcons { [book, store] url in book[url].map(store.path) }, dueAt: dueAt,
            isFetching: run != nil, arrivals: arrivals)
    }
}
