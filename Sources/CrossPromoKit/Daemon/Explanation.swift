import PromoProcess
package import PromoWire

/// Why the catalog is as old as it is, which rule set the time of the next attempt, and what would change that.
package struct Explanation {
    private let status: StatusResult
    private let now: Timestamp

    /// An explanation of a status.
    package init(of status: StatusResult, now: Timestamp) {
        self.status = status
        self.now = now
    }

    /// The explanation, a sentence or two in each paragraph.
    package var paragraphs: [String] {
        [age]
            + [cache, status.freshness.warning(now: now), lastAttempt, heldBack, Self.clock(refresh), refused, next]
            .compactMap(\.self)
    }

    private var refresh: RefreshStatus { status.refresh }

    // MARK: How old the data is

    private var age: String {
        let freshness = status.freshness
        switch freshness.source {
        case .sample:
            return "promod serves the sample that comes with it, which has no age, because catalog.url is \"sample\"."
        case .none where freshness.isUnconfigured: return Unconfigured.text(hasOthers: status.catalogs.count > 1)
        case .none:
            return "promod has no catalog yet, so every list is empty.\(status.cache.error.map { " \($0)" } ?? "")"
        case .origin:
            guard let fetchedAt = freshness.fetchedAt, let expiresAt = freshness.expiresAt else {
                return
                    "The catalog was fetched at a time that is ahead of this machine's clock, so its age is not known, and it "
                    + "counts as expired."
            }
            let fetched = fetched(at: fetchedAt, cachedSince: freshness.cachedSince)
            let rule = expiresAt == freshness.signedUntil ? "the end of its signature" : "refresh.interval"
            return freshness.state == .loaded
                ? "\(fetched) It is fresh until \(time(expiresAt)) (\(rule))."
                : "\(fetched) It expired at \(time(expiresAt)) (\(rule)), and is served until a newer one is there."
        }
    }

    private func fetched(at fetchedAt: Timestamp, cachedSince originAt: Timestamp?) -> String {
        guard let originAt else {
            return "The origin sent or confirmed the catalog \(Age.text(now - fetchedAt)) ago, at \(time(fetchedAt))."
        }
        return
            "The origin sent or confirmed the catalog \(Age.text(now - originAt)) ago, at \(time(originAt)); promod got it from a cache "
            + "on the way \(Age.text(now - fetchedAt)) ago, at \(time(fetchedAt))."
    }

    /// The problem of the file in the cache while a catalog is served.
    private var cache: String? { status.freshness.source == .origin ? status.cache.error : nil }

    /// How far this machine's clock differs from the origin's; nil if by less than a minute.
    package static func clock(_ refresh: RefreshStatus) -> String? {
        guard let ahead = refresh.clockAhead, abs(ahead.components.seconds) >= 60 else { return nil }
        let (difference, side) = ahead > .zero ? (ahead, "ahead of") : (.zero - ahead, "behind")
        return
            "This machine's clock is \(Age.text(difference)) \(side) the origin's, so the times shown here may be wrong by as much."
    }

    // MARK: What happened

    private var lastAttempt: String? {
        // A fetch that is under way is not the last attempt.
        guard refresh.activity != .loading, status.owner == nil else { return nil }
        guard let lastAttemptAt = refresh.lastAttemptAt else {
            return refresh.url.map { "promod has not asked \($0) yet." }
        }
        let attempt = "The last attempt was at \(time(lastAttemptAt))"
        switch refresh.lastOutcome {
        case .updated: return "\(attempt), and the origin sent the catalog that is served."
        case .unchanged: return "\(attempt), and the origin confirmed the catalog."
        case .heldBack: return "\(attempt), and what the origin sent is held back."
        case .failed:
            let count = refresh.attempt > 1 ? ", the \(Self.ordinal(refresh.attempt)) in a row" : ""
            let failure = "\(attempt), and it failed\(count)"
            guard let error = refresh.lastError else { return "\(failure)." }
            guard let (first, latest) = error.parts else { return "\(failure): \(error.message)" }
            return "An attempt brought a catalog that was refused: \(first) \(failure): \(latest)"
        case .throttled, .started, nil: return "\(attempt)."
        }
    }

    private var heldBack: String? {
        refresh.heldBack.map { heldBack in
            "Since \(time(heldBack.since)) the origin has a catalog of \(heldBack.apps.counting("app")) that lacks \(heldBack.lost) of those "
                + "that are served. It is taken if another fetch, an hour or more later, shows the same; "
                + "\"promoctl refresh --accept\" takes it at once, and catalog.hold-back = false takes such catalogs always."
        }
    }

    /// The problem of a changed configuration that is not in force.
    private var refused: String? {
        guard let error = status.configuration.error, !isStopped else { return nil }
        return
            "The configuration as it is written now is not in force, and the one before stays: \(error.sentence) \(remedy)"
    }

    private var remedy: String { BrokenFile.remedy(for: status.configuration.file) }

    /// Whether nothing will be fetched until the configuration changes.
    private var isStopped: Bool { refresh.url == nil || refresh.activity == .idle && refresh.nextAt == nil }

    // MARK: What comes next

    private var next: String? {
        if let error = status.configuration.error, isStopped {
            return "Nothing is fetched while the configuration is broken: \(error.sentence) \(remedy)"
        }
        guard refresh.url != nil else {
            if status.freshness.isUnconfigured { return nil }
            return "Nothing is fetched until an address is configured: promoctl setup https://example.com/catalog.json"
        }
        if let owner = status.owner {
            return "Only \(owner) asks, because it keeps the cache; this promod reads what that one stores."
        }
        if refresh.activity == .loading {
            guard let nextAt = refresh.nextAt else {
                return "A fetch is under way\(refresh.lastAttemptAt.map { ", since \(time($0))" } ?? "")."
            }
            return
                "A fetch begins at \(time(nextAt)), when the shortest time between two attempts has passed (refresh.min-gap)."
        }
        guard let nextAt = refresh.nextAt else { return nil }
        // The time was rounded up to a second already.
        let rest = Age.remaining(max(nextAt - now - .milliseconds(999), .zero))
        return "promod asks again at \(time(nextAt)), in \(rest). \(rule)"
    }

    private var rule: String {
        let refused = refresh.refusedUntil.flatMap { $0 > now ? $0 : nil }
        let atOnce =
            refused.map { "Refreshes were requested too often; \"promoctl refresh\" is allowed at \(time($0))." }
            ?? "\"promoctl refresh\" asks at once."
        return switch refresh.reason {
        case .startup where status.freshness.source == .none:
            "No catalog is there yet, so promod asks as soon as it may."
        case .startup:
            "A refresh is due since promod started or was given another configuration. \(together("start")) \(atOnce)"
        case .resume:
            "A refresh was due while this machine was suspended. \(together("wake")) \(atOnce)"
        case .expiry where isSpread:
            "Each promod has a time of its own before its catalog expires, so that not all ask the origin together (refresh.spread), and "
                + "plans around hours in which its machine is usually off. \(atOnce)"
        case .expiry: "That is when nine tenths of refresh.interval have passed since the fetch. \(atOnce)"
        case .retry where refresh.lastOutcome == .heldBack:
            "That is the second look at what is held back. \(atOnce)"
        case .retry where refresh.gone > 1:
            "The origin has answered \(refresh.gone) times in a row that there is nothing at the address, so it is asked once per "
                + "refresh.interval. \(atOnce)"
        case .retry where refresh.gone == 1:
            "The origin says that there is nothing at the address. That may be a mistake, so promod asks once more before it believes "
                + "it. \(atOnce)"
        case .retry:
            "After a failure the wait is random and grows from retry.base to retry.cap\(longWait). The network's return and "
                + "\"promoctl reload\" end it, and \(atOnce)"
        case .retryAfter: pause(atOnce)
        case .offline:
            "There is no route to the internet, so promod waits for one and asks as soon as it is there. The time is only for "
                + "networks without a default route. \(atOnce)"
        case .network: "The network came back, and promod lets it settle for a second."
        case .none: atOnce
        }
    }

    /// Whether attempts are spread; an earlier promod does not say.
    private var isSpread: Bool { refresh.spread ?? .seconds(1) > .zero }

    private func together(_ verb: String) -> String {
        isSpread
            ? "Many machines may \(verb) together, so the time is drawn at random, within a quarter of refresh.spread at most."
            : "It is delayed only by refresh.min-gap."
    }

    private var longWait: String {
        isSpread
            ? "; from the third failure on, a promod that has a catalog waits up to half of refresh.spread more" : ""
    }

    private func pause(_ atOnce: String) -> String {
        let random = isSpread || status.freshness.source == .none ? ", so that not all come back together" : ""
        guard let end = refresh.retryAfter, end > now else {
            return "The pause that the origin asked for (Retry-After) has ended. The time is random\(random). \(atOnce)"
        }
        return
            "The origin asked for a pause (Retry-After) until \(time(end)). Nothing ends it, not even \"promoctl refresh\"; after it, "
            + "the time is random\(random)."
    }

    private func time(_ time: Timestamp) -> String { LocalTime.short(time, now: now) }

    private static func ordinal(_ number: Int) -> String {
        let suffixes = [1: "st", 2: "nd", 3: "rd"]
        let suffix = 11...13 ~= number % 100 ? nil : suffixes[number % 10]
        return "\(number)\(suffix ?? "th")"
    }
}
