import PromoProcess
package import PromoWire

/// What a view of the list shows, as a value: the rows, and below them what has to be said about them.
package struct MoreAppsContent: Sendable {
    /// Something that is said below the rows.
    package struct Notice: Equatable, Sendable {
        package enum Kind: Sendable {
            case hint, warning, action
        }

        package let kind: Kind
        package let text: String

        /// A notice of a kind.
        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    package var apps: [PromoApp] = []
    package var state = PromoService.LoadState.idle
    package var error: PromoError?
    package var listing: ListResult?
    /// The app that asked; nil where none was named.
    package var host: String?
    package var language = Language.en
    /// What a person does to try again.
    package var retry = "Try Again"
    /// How many rows are shown at most; nil for all.
    package var limit: Int?

    /// The content of a list that nobody asked for yet.
    package init() {}

    /// The rows.
    package func rows(on terminal: Terminal) -> [String] {
        let apps = Array(apps.prefix(limit ?? apps.count))
        let layout = RowLayout(apps, columns: terminal.columns)
        return apps.flatMap { PromoAppRow(app: $0, language: language).lines(in: layout, on: terminal) }
    }

    /// What is to be said about them now.
    package func notices(now: Timestamp) -> [Notice] {
        switch state {
        case .idle: return []
        case .loading: return [Notice(.hint, "Loading…")]
        case .empty(let canRetry): return emptiness(canRetry: canRetry)
        case .loaded, .cached: return remarks(now: now)
        }
    }

    /// Rows and notices in lines of the terminal's width.
    package func lines(on terminal: Terminal, now: Timestamp) -> [String] {
        let rows = rows(on: terminal)
        let notices = notices(now: now).flatMap { $0.lines(on: terminal) }
        return rows + (rows.isEmpty || notices.isEmpty ? [] : [""]) + notices
    }

    private func emptiness(canRetry: Bool) -> [Notice] {
        var notices = [error.map { Notice(.warning, $0.notice) } ?? Notice(.hint, "There are no apps to show yet.")]
        if isAnswered, let retryAt = listing?.retryAt {
            notices.append(Notice(.hint, "promod tries again at \(LocalTime.short(retryAt))."))
        }
        if canRetry { notices.append(Notice(.action, retry)) }
        return notices
    }

    /// Whether the listing is what promod answered last, rather than what it answered before an error.
    private var isAnswered: Bool { error == nil || error?.code == .refreshFailed }

    private func remarks(now: Timestamp) -> [Notice] {
        var notices: [Notice] = []
        if apps.isEmpty, listing?.isHostKnown == true {
            notices.append(Notice(.hint, "\(host ?? "The catalog") promotes no other app."))
        }
        if let host, listing?.isHostKnown == false {
            let shown = "The catalog knows no app \"\(host)\", so every app is shown."
            let meant = nearestWord(to: host, among: apps.map(\.id), within: 3)
            notices.append(Notice(.warning, shown + (meant.map { " Did you mean \"\($0)\"?" } ?? "")))
        }
        if listing?.freshness.source == .sample {
            notices.append(
                Notice(
                    .hint,
                    "These are sample apps, because promod knows no catalog.url. "
                        + "\"promoctl setup https://…\" sets yours."))
        }
        if state == .cached, let fetchedAt = listing?.freshness.fetchedAt {
            notices.append(
                Notice(
                    .warning,
                    "This list is from \(LocalTime.short(fetchedAt)), \(Age.text(now - fetchedAt)) ago; "
                        + "promod is to refresh it."))
        }
        if let error { notices.append(Notice(.warning, error.notice)) }
        return notices
    }
}

extension MoreAppsContent.Notice {
    /// The notice in lines of the terminal's width.
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
