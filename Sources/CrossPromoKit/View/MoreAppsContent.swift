package import FoundationEssentials
import PromoSystem
package import PromoWire

/// The contents of a view of the list: the rows, and notices below them.
package struct MoreAppsContent: Sendable {
    /// A sentence or a title below the rows.
    package struct Notice: Equatable, Sendable {
        package enum Kind: Sendable {
            case hint, warning, action
        }

        package let kind: Kind
        package let text: String

        /// Creates a notice.
        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    package var apps: [PromoApp] = []
    /// The pictures that have been read, by app id; the others are read from their files.
    package var pictures: [String: Data] = [:]
    package var state = PromoService.LoadState.idle
    package var error: PromoError?
    package var listing: ListResult?
    /// The id of the host app; nil if there is none.
    package var host: String?
    package var language = Language.en
    /// The words of the notices.
    var words = Words.en
    /// Whether there is a column for the ids, if it has room.
    package var showsIDs = false

    /// Creates the content of a list that was never loaded.
    package init() {}

    /// Creates the content of a service's list.
    @MainActor
    init(of service: PromoService) {
        (apps, state, error, listing) = (service.apps, service.state, service.error, service.list?.result)
        (host, language) = (service.config.host, service.config.resolvedLanguage)
        words = Words(in: language)
    }

    /// Creates the content of a list that promod has sent.
    package init(_ listing: ListResult) throws(PromoError) {
        let list = try PromoList(listing)
        (apps, state, error, self.listing) = (list.apps, PromoService.LoadState(list), list.error, listing)
    }

    /// The rows as lines of the terminal's width.
    package func rows(on terminal: Terminal) -> [String] {
        // Pictures would touch without a blank line between them.
        Array(linesOfRows(on: terminal).joined(separator: terminal.hasGraphics ? [""] : []))
    }

    /// The lines of each row.
    func linesOfRows(on terminal: Terminal) -> [[String]] {
        let rows = apps.map { app in
            let picture = terminal.hasGraphics ? pictures[app.id] ?? PictureFile.read(app.iconFile) : nil
            return PromoAppRow(app: app, picture: picture, language: language)
        }
        let layout = RowLayout(rows.map(\.texts), showsIDs: showsIDs, on: terminal)
        return rows.map { $0.lines(in: layout, on: terminal) }
    }

    /// The notices below the rows.
    package func notices(now: Timestamp) -> [Notice] {
        switch state {
        case .idle: return []
        case .loading: return [Notice(.hint, words.loading)]
        case .empty(let canRetry): return emptiness(canRetry: canRetry, now: now)
        case .loaded, .cached: return remarks(now: now)
        }
    }

    /// The rows and notices as lines of the terminal's width.
    package func lines(on terminal: Terminal, now: Timestamp) -> [String] {
        let rows = rows(on: terminal)
        let notices = notices(now: now).flatMap { $0.lines(on: terminal) }
        return rows + (rows.isEmpty || notices.isEmpty ? [] : [""]) + notices
    }

    private func emptiness(canRetry: Bool, now: Timestamp) -> [Notice] {
        if let reason = listing?.emptiness, reason != .notConfigured, error == nil {
            let text = reason == .rule ? words.promotesNone(host) : words.everyAppLaunched
            return [Notice(.hint, text)] + remarks(now: now)
        }
        var notices = [error.map { Notice(.warning, $0.notice(in: words)) } ?? Notice(.hint, words.noApps)]
        if isAnswered, let retryAt = listing?.retryAt {
            notices.append(Notice(.hint, words.nextTry(LocalTime.text(retryAt, words.time))))
        }
        if canRetry { notices.append(Notice(.action, words.tryAgain)) }
        return notices
    }

    /// Whether `listing` is from promod's latest answer, and not from one before an error.
    private var isAnswered: Bool { error == nil || error?.code == .refreshFailed }

    /// For the developer.
    private var hostNotice: [Notice] {
        guard let host, listing?.isHostKnown == false else { return [] }
        let meant = nearestWord(to: host, among: apps.map(\.id), within: 3)
        return [
            Notice(
                .warning,
                "The catalog has no app \"\(host.elided(to: 64))\", and no rule for it."
                    + (meant.map { " Did you mean \"\($0)\"?" } ?? ""))
        ]
    }

    private func remarks(now: Timestamp) -> [Notice] {
        var notices = hostNotice
        if listing?.freshness.source == .sample {
            notices.append(Notice(.hint, words.sample))
        }
        if listing?.freshness.source == .bundled {
            notices.append(Notice(.hint, words.bundled))
        }
        if state == .cached, let listing, let fetchedAt = listing.freshness.fetchedAt {
            // Without a daemon, a list that has not expired is not called old, though a newer one may exist.
            let isFresh = listing.freshness.expiresAt.map { now < $0 } ?? false
            if !isFresh || isAnswered {
                let age = words.age(LocalTime.text(fetchedAt, words.time), Age.text(now - fetchedAt, in: words))
                notices.append(
                    Notice(.warning, age + (isAnswered ? words.willRefresh : String(words.willRefresh.suffix(1)))))
            }
        }
        if let error { notices.append(Notice(.warning, error.notice(in: words))) }
        return notices
    }
}

extension MoreAppsContent.Notice {
    /// The notice as lines of the terminal's width.
    package func lines(on terminal: Terminal) -> [String] {
        let style: Style =
            switch kind {
            case .hint: .dim
            case .warning: .warning
            case .action: .bold
            }
        let text = kind == .action ? "[ \(text) ]" : text
        return text.printable.wrapped(to: terminal.columns).map { style.applied(to: $0, on: terminal) }
    }
}
