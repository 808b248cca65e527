import Dispatch
import Logging
import PromoCore
import PromoProcess
import PromoWire

/// Keeps the pictures of one catalog: when a client has asked, it fetches those that are missing or old, one at a time.
///
/// It belongs to a catalog's refresher and runs on the control plane's queue.
final class IconKeeper {
    /// How long an address waits whose host did not answer others, and all wait after the disk has refused one.
    private static let pause = Duration.seconds(3600)

    private let enter: CatalogRefresher.Enter
    private let effects: ControlPlane.Effects
    private let origin: any Origin
    private let log: CatalogLog
    private let store: IconStore
    private let changed: () -> Void

    private var settings: IconSettings
    private var book = IconBook()
    /// The book's file when it was read.
    private var seen: FileIdentity?
    private var catalog: PreparedCatalog?
    private var urls: [String] = []
    /// The run over the pictures that are due, and what cancels its fetch.
    private var run: IconRun?
    private var cancelFetch: @Sendable () -> Void = {}
    private var waiters: [@Sendable () -> Void] = []
    /// Numbers fetches, so that a reply to an earlier one is not taken.
    private var fetch = 0
    private var arrivals = 0
    /// The end of the pause after the disk has refused a picture.
    private var pausedUntil: Timestamp?
    private var encoded = EncodedPictures()
    /// The published state; nil if no client has asked yet and there are no pictures.
    private(set) var snapshot: IconSnapshot?

    init(
        effects: ControlPlane.Effects, log: CatalogLog, cache: PrivateDirectory, settings: IconSettings,
        enter: @escaping CatalogRefresher.Enter, changed: @escaping () -> Void
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
    func load() {
        seen = store.identity
        do {
            book = try store.read() ?? IconBook()
        } catch {
            log.iconsForgotten(error)
        }
    }

    /// Reads again which pictures are on disk, if the promod that keeps them has written that.
    func follow() {
        guard store.identity != seen else { return }
        let known = book.fileNames
        load()
        arrivals += book.fileNames.subtracting(known).count
        if snapshot != nil || !book.isEmpty { renew() }
        changed()
    }

    func assign(_ settings: IconSettings) {
        self.settings = settings
        if snapshot != nil { renew() }
    }

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
            log.iconsNotWritten("The icons were not removed: \(error)")
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
        if run != nil { cancelFetch() }
        origin.rest()
        run = nil
        fetch += 1
    }

    /// Forgets the pictures whose files are gone.
    func checkFiles() {
        if snapshot != nil { renew() }
    }

    // MARK: Requests

    func asked() {
        guard let catalog else { return }
        let now = effects.clock.wall
        if snapshot == nil {
            renew(catalog)
            changed()
        }
        guard run == nil, snapshot?.isDue(now: now) == true, settings.isSample || effects.isOnline() else {
            return
        }
        let due = urls.filter { book.isDue($0, interval: settings.interval, now: now) }
        if !due.isEmpty {
            run = IconRun(due, now: effects.uptime())
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
        if let base64 = encoded.base64(of: icon, read: { store.bytes(of: icon) }) {
            return IconReply(app: app, picture: (icon.format.mediaType, base64))
        }
        book.forget(url)
        renew()
        changed()
        return IconReply(app: app, picture: nil)
    }

    // MARK: Fetching

    private func next() {
        guard let (text, url) = run?.next() else { return finish() }
        // Confirmed by the origin, a picture whose file is gone would never come back.
        if let icon = book[text], !store.isThere(icon) { book.forget(text) }
        fetch += 1
        let request = OriginRequest(
            url: url, validators: book[text]?.validators ?? Validators(), caFile: settings.caFile,
            maximumBytes: IconBook.maximumSize, timeout: settings.timeout, proxies: settings.proxies,
            accept: IconFormat.accepted)
        let origin: any Origin = settings.isSample ? SamplePictures() : origin
        cancelFetch = origin.fetch(request) { [enter, fetch] reply, _ in
            enter { $0.icons.ended(fetch, text, url, reply) }
        }
    }

    private func ended(_ number: Int, _ text: String, _ url: HTTPSURL, _ reply: OriginReply) {
        guard number == fetch, run != nil else { return }
        let now = effects.clock.wall
        do throws(Failure) {
            try take(reply, text, url, now)
            run?.succeeded(url)
        } catch {
            guard error.code != .storage else { return refused(url, error) }
            let retryAfter = reply.retryAfter(now: now)
            run?.failed(url, error, httpStatus: reply.httpStatus, retryAfter: retryAfter)
            book.fail(text, until: now + (retryAfter.map(wait) ?? settings.interval))
        }
        if let count = run?.takeUnpublished(now: effects.uptime()) { publish(count) }
        next()
    }

    /// The disk has refused something, for which the address is not to blame. It will not take the next picture either.
    private func refused(_ url: HTTPSURL, _ failure: Failure) {
        run?.failed(url, failure)
        pausedUntil = effects.clock.wall + Self.pause
        finish()
    }

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
                run?.arrived()
            }
            book.enter(icon, of: text)
        }
    }

    private func finish() {
        guard let ended = run else { return }
        let now = effects.clock.wall
        for (text, retryAfter) in ended.skipped {
            book.fail(text, until: now + wait(retryAfter ?? .zero))
        }
        run = nil
        publish(ended.unpublished)
        origin.rest()
        log.iconsFetched(ended)
        answerWaiters()
    }

    /// How long an address waits because of its host, which may have asked for a longer wait with Retry-After.
    private func wait(_ retryAfter: Duration) -> Duration {
        min(max(retryAfter, min(Self.pause, settings.interval)), RetryAfter.longest)
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
            log.iconsNotWritten("Which icons there are was not stored: \(error)")
        }
    }

    // MARK: The snapshot

    private func renew() {
        if let catalog { renew(catalog) }
    }

    private func renew(_ catalog: PreparedCatalog) {
        let now = effects.clock.wall
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
