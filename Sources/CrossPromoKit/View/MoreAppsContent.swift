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

    /// From which the rows and the notices are made.
    var answer = LastAnswer()
    /// Whether more is under way.
    var isLoading = false
    /// The pictures that have been read, by app id; the others are read from their files.
    package var pictures: [String: Data] = [:]
    /// The language of all that people read.
    package var language = Language.en
    /// Whether there is a column for the ids, if it has room.
    package var showsIDs = false

    /// Creates the content of a list that was never loaded.
    package init() {}

    /// Creates the content of a service's list.
    @MainActor
    init(of service: PromoService) {
        (answer, isLoading) = (service.answer, service.isLoading)
        language = service.config.resolvedLanguage
    }

    /// Creates the content of a list that promod has sent.
    package init(_ listing: ListResult) throws(PromoError) {
        answer = LastAnswer(try PromoList(listing))
    }

    /// The apps of the rows.
    package var apps: [PromoApp] { answer.apps }

    var words: Words { Words(in: language) }
    private var error: PromoError? { answer.error }
    private var listing: ListResult? { answer.list?.result }

    /// The rows as lines of the terminal's width.
    package func rows(on terminal: Terminal) -> [String] {
        let layout = layout(on: terminal)
        // Pictures would touch without a blank line between them.
        return Array(
            apps.map { lines(of: $0, in: layout, on: terminal) }.joined(separator: terminal.hasGraphics ? [""] : []))
    }

    /// The columns of all rows.
    func layout(on terminal: Terminal) -> RowLayout {
        RowLayout(apps.map { RowTexts($0, in: language) }, showsIDs: showsIDs, on: terminal)
    }

    /// The lines of a row.
    func lines(of app: PromoApp, in layout: RowLayout, on terminal: Terminal) -> [String] {
        let picture = terminal.hasGraphics ? pictures[app.id] ?? PictureFile.read(app.iconFile) : nil
        return PromoAppRow(app: app, picture: picture, language: language).lines(in: layout, on: terminal)
    }

    /// What the keys of an interactive list do now.
    var keys: String {
        let (rows, retry, leave) = words.keys
        return ([rows].filter { _ in !apps.isEmpty } + [retry].filter { _ in answer.canRetry } + [leave])
            .joined(separator: words.comma)
    }

    /// The notices below the rows.
    package func notices(now: Timestamp) -> [Notice] {
        switch answer.state(isLoading: isLoading) {
        case .idle: return []
        case .loading: return [Notice(.hint, words.loading)]
        case .empty: return emptiness
        case .loaded, .cached: return origin + age(now: now)
        }
    }

    /// The rows and notices as lines of the terminal's width.
    package func lines(on terminal: Terminal, now: Timestamp) -> [String] {
        let rows = rows(on: terminal)
        let notices = notices(now: now).flatMap { $0.lines(on: terminal) }
        return rows + (rows.isEmpty || notices.isEmpty ? [] : [""]) + notices
    }

    /// The same, each line with a line feed at its end.
    func text(on terminal: Terminal) -> String { lines(on: terminal, now: .now).map { $0 + "\n" }.joined() }

    private var emptiness: [Notice] {
        if answer.failure == nil, let reason = listing?.emptiness, reason != .notConfigured {
            let text = reason == .launched ? words.everyAppLaunched : words.sentences(.nothing)
            return [Notice(.hint, text)] + origin
        }
        let notice = error.map { Notice(.warning, $0.notice(in: words)) } ?? Notice(.hint, words.sentences(.nothing))
        return [notice] + (answer.canRetry ? [Notice(.action, words.tryAgain)] : [])
    }

    /// Where the apps come from, if they are not from the origin.
    private var origin: [Notice] {
        switch listing?.freshness.source {
        case .sample: [Notice(.hint, words.sample)]
        case .bundled: [Notice(.hint, words.bundled)]
        case .origin, .file, .some(.none), nil: []
        }
    }

    /// How old the list is, if it is, or else that promod is away. Without promod, a list expires unannounced.
    private func age(now: Timestamp) -> [Notice] {
        if let freshness = listing?.freshness, let fetchedAt = freshness.fetchedAt,
            answer.failure == nil ? freshness.state == .expired : freshness.expiresAt.map({ $0 <= now }) ?? true
        {
            // A day without its year may be one that is to come.
            let pattern = now - fetchedAt < .seconds(180 * 86_400) ? words.time : words.date
            return [Notice(.warning, words.old(LocalTime.text(fetchedAt, pattern)))]
        }
        return answer.failure.map { [Notice(.warning, $0.notice(in: words, hasList: true))] } ?? []
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
        return text.printable.wrapped(to: terminal.columns, breakingWords: true).map {
            style.applied(to: $0, on: terminal)
        }
    }
}
