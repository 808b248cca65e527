import CrossPromoKit
import PromoSystem
import PromoWire

/// A status, as text for people.
struct StatusReport {
    private let status: StatusResult

    init(_ status: StatusResult) {
        self.status = status
    }

    /// The report's lines, wrapped to the terminal's width.
    func lines(on terminal: Terminal, now: Timestamp) -> [String] {
        let (style, headline) = headline(now: now)
        let facts = facts(now: now)
        let width = facts.map(\.name.count).max() ?? 0
        var lines = headline.wrapped(to: terminal.columns).map { style.applied(to: $0, on: terminal) }
        for fact in facts {
            let name = String(repeating: " ", count: width - fact.name.count) + fact.name
            let text = fact.text.printable.indented(by: width + 2, in: terminal.columns)
            let first = Style.label.applied(to: name, on: terminal) + (text.first ?? name).dropFirst(width)
            lines += [first] + text.dropFirst()
        }
        for (index, advice) in advice.enumerated() {
            if index == 0 { lines.append("") }
            lines += advice.printable.wrapped(to: terminal.columns)
        }
        return lines
    }

    private func headline(now: Timestamp) -> (Style, String) {
        if status.configuration.error != nil {
            let served =
                status.freshness.generation == nil ? "there is no cached catalog" : "the cached catalog is served"
            let isFetched = status.refresh.nextAt != nil || status.refresh.activity == .loading
            let effect = isFetched ? "the previous one stays in force" : "\(served), and nothing is fetched"
            return (.bad, "The configuration is broken; \(effect).")
        }
        switch status.freshness.state {
        case .loaded where status.freshness.source == .sample:
            return (.warning, "The sample catalog is served, because the default catalog is \"sample\".")
        case .loaded: return (.good, "The catalog is fresh.")
        case .cached where status.freshness.source == .bundled:
            return (.warning, "The catalog of the app's package is served, because none was fetched yet.")
        case .cached:
            guard let originAt = status.freshness.originAt else {
                return (.warning, "The catalog's time is ahead of this machine's clock, so its age is not known.")
            }
            return (.warning, "The catalog is \(Age.text(now - originAt)) old, and a refresh is due.")
        case .loading: return (.warning, "There is nothing to serve yet; the first fetch is under way.")
        case .empty where status.freshness.isUnconfigured:
            return (.warning, Unconfigured.text)
        case .empty: return (.bad, "There is nothing to serve.")
        }
    }

    private func facts(now: Timestamp) -> [(name: String, text: String)] {
        let (refresh, cache, process, counters) = (status.refresh, status.cache, status.process, status.counters)
        let clients =
            "\(counters.connections.counting("connection")), \(counters.subscribers.counting("subscriber"))"
        let facts: [(name: String, text: String?)] = [
            ("Catalog", catalog(now: now)),
            ("Origin", origin),
            ("Next", next(now: now)),
            ("Last", last(now: now)),
            ("Error", refresh.lastError.map { "\($0.code.rawValue): \($0.message)" }),
            ("Network", status.isOnline ? "online" : "offline: there is no route to the internet"),
            ("Cache", cache.path + (cache.isStored ? "" : " (\(unstored))")),
            ("", cache.error),
            ("Settings", status.configuration.file ?? "no file"),
            ("Reviews", status.reviewsError),
            ("Socket", "\(process.socketPath) (\(clients))"),
            ("Queries", queries),
            ("Process", "promod \(process.version), pid \(process.pid), since \(process.startedAt.shown(now: now))"),
        ]
        return facts.compactMap { name, text in text.map { (name, $0) } }
    }

    /// The file may still hold an older catalog, or that of another address.
    private var unstored: String {
        status.freshness.source == .origin ? "the served catalog is not in it" : "nothing stored"
    }

    private func last(now: Timestamp) -> String? {
        let outcome = status.refresh.lastOutcome.map { ", \($0.rawValue)" } ?? ""
        return status.refresh.lastAttemptAt.map { $0.shown(now: now) + outcome }
    }

    private var origin: String {
        guard let url = status.refresh.url else { return "none" }
        let target = status.refresh.redirectedTo.map { ", which redirects to \($0)" } ?? ""
        return url + target + (status.refresh.proxy.map { " through the proxy \($0.url) (\($0.source))" } ?? "")
    }

    private func catalog(now: Timestamp) -> String {
        guard let generation = status.freshness.generation else { return "none" }
        var parts = [status.apps.counting("app")]
        if let fetchedAt = status.freshness.fetchedAt { parts.append("fetched \(fetchedAt.shown(now: now))") }
        if let time = status.freshness.cachedSince {
            parts.append("from a cache that had it since \(time.shown(now: now))")
        }
        return parts.joined(separator: ", ") + ", generation \(generation)"
    }

    private func next(now: Timestamp) -> String {
        if status.refresh.activity == .loading { return "a fetch is under way" }
        guard let nextAt = status.refresh.nextAt else { return "no fetch is planned" }
        let refresh = status.refresh
        let why = refresh.reason.words(
            isExpired: status.freshness.state == .cached, attempt: refresh.attempt,
            pauseEnd: refresh.retryAfter.map { LocalTime.short($0, now: now) })
        return "\(nextAt.shown(now: now)): \(why)"
    }

    private var queries: String {
        let counts = MethodTable.all.compactMap { method in
            status.counters.requests[method.name].flatMap { $0 > 0 ? "\($0) \(method.name)" : nil }
        }
        return (counts + [status.counters.errors.counting("error")]).joined(separator: ", ")
    }

    /// What the person can do; empty if everything is well.
    private var advice: [String] {
        if let error = status.configuration.error {
            return [error.sentence, BrokenFile.remedy(for: status.configuration.file)]
        }
        if status.freshness.source == .sample {
            return ["Give promod your catalog: promoctl setup https://example.com/catalog.json"]
        }
        guard let error = status.refresh.lastError else { return [] }
        if status.refresh.reason == .retryAfter {
            return ["What to do: nothing; the origin asked for a pause, and promod fetches again after it."]
        }
        return [error.advice]
    }
}

extension RefreshStatus.Reason {
    fileprivate func words(isExpired: Bool, attempt: Int, pauseEnd: String?) -> String {
        switch self {
        case .startup: "a fetch is due"
        case .expiry: isExpired ? "its planned time" : "before the catalog expires"
        case .retry: attempt == 1 ? "the last attempt failed" : "the last \(attempt) attempts failed"
        case .retryAfter:
            "the origin asked for a pause\(pauseEnd.map { " until \($0)" } ?? "")"
        case .none: "as planned"
        }
    }
}
