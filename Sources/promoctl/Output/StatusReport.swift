import CrossPromoKit
import PromoProcess
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
            let wrapped = fact.text.printable.wrapped(to: terminal.columns.map { $0 - width - 2 })
            for (index, text) in wrapped.enumerated() {
                let label =
                    index == 0 ? Style.label.applied(to: name, on: terminal) : String(repeating: " ", count: width)
                lines.append("\(label)  \(text)")
            }
        }
        for (index, advice) in advice.enumerated() {
            if index == 0 { lines.append("") }
            lines += advice.printable.wrapped(to: terminal.columns)
        }
        return lines
    }

    private func headline(now: Timestamp) -> (Style, String) {
        if status.configuration.error != nil, status.refresh.url != nil {
            return (.bad, "The configuration is broken; the previous one stays in force.")
        }
        if status.configuration.error != nil {
            let isServed = status.freshness.generation != nil
            return (
                .bad,
                "The configuration is broken; \(isServed ? "the cached catalog is served, and nothing is fetched" : "there is no cached catalog, and nothing is fetched")."
            )
        }
        switch status.freshness.state {
        case .loaded where status.freshness.source == .sample:
            return (.warning, "The sample catalog is served, because catalog.url is \"sample\".")
        case .loaded: return (.good, "The catalog is fresh.")
        case .cached:
            guard let originAt = status.freshness.originAt else {
                return (.warning, "The catalog's time is ahead of this machine's clock, so its age is not known.")
            }
            if status.freshness.warning(now: now) != nil {
                return (.bad, "The catalog's signature has expired.")
            }
            return (.warning, "The catalog is \(Age.text(now - originAt)) old, and a refresh is due.")
        case .loading: return (.warning, "There is nothing to serve yet; the first fetch is under way.")
        case .empty where status.freshness.isUnconfigured:
            return (status.catalogs.count > 1 ? .good : .warning, status.unconfigured)
        case .empty: return (.bad, "There is nothing to serve.")
        }
    }

    private func facts(now: Timestamp) -> [(name: String, text: String)] {
        let refresh = status.refresh
        var facts = [("Catalog", catalog(now: now)), ("Origin", origin)]
        facts.append(("Next", next(now: now)))
        if let lastAttemptAt = refresh.lastAttemptAt {
            let outcome = refresh.lastOutcome.map { ", \($0.rawValue)" } ?? ""
            facts.append(("Last", lastAttemptAt.told(now: now) + outcome))
        }
        if let heldBack = refresh.heldBack {
            facts.append(
                (
                    "Held back",
                    "a catalog of \(heldBack.apps.counting("app")), which lacks \(heldBack.lost) of those that are served"
                ))
        }
        if let warning = status.freshness.warning(now: now) { facts.append(("Signature", warning)) }
        if let error = refresh.lastError { facts.append(("Error", "\(error.code.rawValue): \(error.message)")) }
        facts.append(("Network", status.isOnline ? "online" : "offline: there is no route to the internet"))
        facts.append(("Cache", status.cache.path + (status.cache.isStored ? "" : " (nothing stored)")))
        if let error = status.cache.error { facts.append(("", error)) }
        if let owner = status.owner {
            facts.append(("", "\(owner) keeps it; this one reads it, and takes over when that one ends"))
        }
        facts.append(("Settings", status.configuration.file ?? "no file"))
        if let error = status.reviewsError { facts.append(("Reviews", error)) }
        let counters = status.counters
        facts.append(
            (
                "Socket",
                "\(status.process.socketPath) (\(counters.connections.counting("connection")), "
                    + "\(counters.subscribers.counting("subscriber")))"
            ))
        facts.append(("Queries", queries))
        let process = status.process
        facts.append(
            ("Process", "promod \(process.version), pid \(process.pid), since \(process.startedAt.told(now: now))"))
        return facts
    }

    private var origin: String {
        guard let url = status.refresh.url else { return "none" }
        let target = status.refresh.redirectedTo.map { ", which redirects to \($0)" } ?? ""
        return url + target + (status.refresh.proxy.map { " through the proxy \($0.url) (\($0.source))" } ?? "")
    }

    private func catalog(now: Timestamp) -> String {
        guard let generation = status.freshness.generation else { return "none" }
        var parts = [status.apps.counting("app")]
        if let fetchedAt = status.freshness.fetchedAt { parts.append("fetched \(fetchedAt.told(now: now))") }
        if let time = status.freshness.cachedSince {
            parts.append("from a cache that had it since \(time.told(now: now))")
        }
        return parts.joined(separator: ", ") + ", generation \(generation)"
    }

    private func next(now: Timestamp) -> String {
        if status.refresh.activity == .loading { return "a fetch is under way" }
        guard let nextAt = status.refresh.nextAt else { return "no fetch is planned" }
        let refresh = status.refresh
        let why =
            refresh.reason == .retry && refresh.lastOutcome == .heldBack
            ? "a second look at the catalog that is held back"
            : refresh.reason.words(
                isExpired: status.freshness.state == .cached, attempt: refresh.attempt,
                pauseEnd: refresh.retryAfter.map { LocalTime.short($0, now: now) })
        return "\(nextAt.told(now: now)): \(why)"
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
            "the origin asked for a pause\(pauseEnd.map { " until \($0)" } ?? ""), and not all come back together"
        case .offline: "there is no network, and promod fetches as soon as there is one"
        case .network: "the network came back"
        case .resume: "the machine woke up"
        case .none: "as planned"
        }
    }
}
