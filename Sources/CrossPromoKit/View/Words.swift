import PromoWire

/// What the library tells the people who use a host app, in one language. Errors for developers are in English.
package struct Words: Sendable {
    /// The problems that people are told of, one for each remedy.
    enum Trouble: CaseIterable {
        case unreachable, otherVersion, unknownCatalog, mistake, notConfigured, noOrigin, network, other
    }

    let loading, tryAgain, noApps, everyAppLaunched, sample, bundled: String
    /// The line below an interactive list: its keys, and what is typed on a terminal without them.
    let keys, numbers: String
    /// The pattern of a time, for strftime(3).
    let time: String
    let nextTry: @Sendable (_ time: String) -> String
    /// The host is nil if the list has none.
    let promotesNone: @Sendable (_ host: String?) -> String
    let age: @Sendable (_ time: String, _ age: String) -> String
    /// What follows an age if promod is there.
    let willRefresh: String
    let ago: @Sendable (_ count: Int64, _ unit: Age.Unit?) -> String
    let opened, open: @Sendable (String) -> String
    let trouble: @Sendable (Trouble) -> (problem: String, remedy: String)

    /// English.
    package static let en = Words(
        loading: "Loading…", tryAgain: "Try Again", noApps: "There are no apps to show yet.",
        everyAppLaunched: "Every app has already been launched.",
        sample: "These are the made-up apps of promod's sample. \"promoctl setup https://…\" sets your catalog.",
        bundled: "This list came with the app's package; promod has not fetched a newer one yet.",
        keys: "↑ ↓ or a number selects, Enter opens, r tries again, q leaves", numbers: "A number, r or q, and Enter:",
        time: "%d %b %H:%M",
        nextTry: { "promod tries again at \($0)." },
        promotesNone: { "\($0 ?? "The catalog") promotes no other app." },
        age: { "This list is from \($0), \($1) ago" }, willRefresh: "; promod will refresh it.",
        ago: { count, unit in unit.map { count.counting("\($0)") } ?? "a moment" },
        opened: { "Opened the page of \($0)." }, open: { "Open \($0)" },
        trouble: {
            switch $0 {
            case .unreachable:
                ("The list of apps cannot be updated, because promod cannot be reached.", "Start promod.")
            case .otherVersion:
                (
                    "The list of apps cannot be updated, because this app and promod do not understand each other.",
                    "Update promod and this app."
                )
            case .unknownCatalog:
                (
                    "The list of apps cannot be loaded, because promod does not keep this app's catalog.",
                    "Install the app's package again, or run \"promoctl setup\" with the address of its catalog."
                )
            case .mistake:
                (
                    "The list of apps cannot be loaded, because of a mistake in this app.",
                    "Report it to the app's developer."
                )
            case .notConfigured:
                (
                    "There are no apps to show, because no catalog is configured for promod.",
                    "Set one with \"promoctl setup\" and its address."
                )
            case .noOrigin: ("promod has no catalog to load apps from.", "Set one with \"promoctl setup\".")
            case .network:
                (
                    "The list of apps cannot be updated, because its server cannot be reached.",
                    "Check the network connection, then try again."
                )
            case .other: ("The list of apps cannot be updated right now.", "Try again later.")
            }
        })

    /// Korean.
    static let ko = Words(
        loading: "불러오는 중…", tryAgain: "다시 시도", noApps: "아직 보여 줄 앱이 없습니다.",
        everyAppLaunched: "모든 앱을 이미 실행했습니다.",
        sample: "promod 샘플에 들어 있는 가상의 앱입니다. \"promoctl setup https://…\"로 카탈로그를 설정하세요.",
        bundled: "앱 패키지에 들어 있던 목록입니다. promod가 아직 새 목록을 받지 못했습니다.",
        keys: "↑ ↓ 또는 번호로 선택, Enter로 열기, r로 다시 시도, q로 나가기", numbers: "번호, r 또는 q를 입력하고 Enter:",
        time: "%-m월 %-d일 %H:%M",
        nextTry: { "promod가 \($0)에 다시 시도합니다." },
        promotesNone: { "\($0 ?? "카탈로그")에는 소개할 다른 앱이 없습니다." },
        age: { "\($0)(\($1) 전) 기준 목록입니다" }, willRefresh: ". promod가 곧 새로 받습니다.",
        ago: { count, unit in
            unit.map { "\(count)\($0 == .day ? "일" : $0 == .hour ? "시간" : "분")" } ?? "조금"
        },
        opened: { "\($0) 페이지를 열었습니다." }, open: { "이 주소를 여세요: \($0)" },
        trouble: {
            switch $0 {
            case .unreachable: ("promod에 연결할 수 없어 앱 목록을 새로 받지 못했습니다.", "promod를 시작하세요.")
            case .otherVersion:
                ("이 앱과 promod의 버전이 서로 맞지 않아 앱 목록을 새로 받지 못했습니다.", "promod와 이 앱을 업데이트하세요.")
            case .unknownCatalog:
                (
                    "promod에 이 앱의 카탈로그가 없어 앱 목록을 불러올 수 없습니다.",
                    "앱 패키지를 다시 설치하거나 카탈로그 주소를 지정해 \"promoctl setup\"을 실행하세요."
                )
            case .mistake: ("이 앱의 오류로 앱 목록을 불러올 수 없습니다.", "앱 개발자에게 알려 주세요.")
            case .notConfigured:
                ("promod에 설정된 카탈로그가 없어서 보여 줄 앱이 없습니다.", "카탈로그 주소를 지정해 \"promoctl setup\"을 실행하세요.")
            case .noOrigin: ("promod에 앱을 불러올 카탈로그가 없습니다.", "\"promoctl setup\"으로 설정하세요.")
            case .network: ("서버에 연결할 수 없어 앱 목록을 새로 받지 못했습니다.", "네트워크 연결을 확인한 뒤 다시 시도하세요.")
            case .other: ("지금은 앱 목록을 새로 받을 수 없습니다.", "나중에 다시 시도하세요.")
            }
        })

    /// Japanese.
    static let ja = Words(
        loading: "読み込み中…", tryAgain: "再試行", noApps: "表示できるアプリはまだありません。",
        everyAppLaunched: "すべてのアプリは起動済みです。",
        sample: "promodのサンプルにある架空のアプリです。「promoctl setup https://…」でカタログを設定してください。",
        bundled: "アプリのパッケージに付属する一覧です。promodはまだ新しい一覧を取得していません。",
        keys: "↑ ↓ または番号で選択、Enterで開く、rで再試行、qで終了", numbers: "番号、rまたはqを入力してEnter:",
        time: "%-m月%-d日 %H:%M",
        nextTry: { "promodは\($0)に再試行します。" },
        promotesNone: { "\($0 ?? "カタログ")で紹介するほかのアプリはありません。" },
        age: { "\($0)（\($1)前）時点の一覧です" }, willRefresh: "。まもなくpromodが更新します。",
        ago: { count, unit in
            unit.map { "\(count)\($0 == .day ? "日" : $0 == .hour ? "時間" : "分")" } ?? "少し"
        },
        opened: { "\($0)のページを開きました。" }, open: { "このアドレスを開いてください: \($0)" },
        trouble: {
            switch $0 {
            case .unreachable: ("promodに接続できないため、アプリの一覧を更新できません。", "promodを起動してください。")
            case .otherVersion:
                ("このアプリとpromodのバージョンが合わないため、アプリの一覧を更新できません。", "promodとこのアプリを更新してください。")
            case .unknownCatalog:
                (
                    "promodにこのアプリのカタログがないため、アプリの一覧を読み込めません。",
                    "アプリのパッケージを再インストールするか、カタログのアドレスを指定して「promoctl setup」を実行してください。"
                )
            case .mistake: ("このアプリの不具合のため、アプリの一覧を読み込めません。", "アプリの開発者に知らせてください。")
            case .notConfigured:
                ("promodにカタログが設定されていないため、表示できるアプリはありません。", "カタログのアドレスを指定して「promoctl setup」を実行してください。")
            case .noOrigin: ("promodにアプリを読み込むカタログがありません。", "「promoctl setup」で設定してください。")
            case .network: ("サーバーに接続できないため、アプリの一覧を更新できません。", "ネットワーク接続を確認してから、再試行してください。")
            case .other: ("現在、アプリの一覧を更新できません。", "あとで再試行してください。")
            }
        })
}

extension Words {
    /// The words in a language.
    init(in language: Language) {
        switch language {
        case .en: self = .en
        case .ko: self = .ko
        case .ja: self = .ja
        }
    }
}

/// Durations in words.
package enum Age {
    /// A unit of time.
    enum Unit: Int64, CaseIterable {
        case day = 86_400
        case hour = 3600
        case minute = 60
    }

    /// A duration that has passed, rounded down to the largest unit that fits: `3 days`, `1 hour`, `5 minutes`, `a moment`.
    package static func text(_ duration: Duration, in words: Words = .en) -> String {
        let seconds = duration.components.seconds
        let unit = Unit.allCases.first { seconds >= $0.rawValue }
        return words.ago(unit.map { seconds / $0.rawValue } ?? 0, unit)
    }

    /// A duration that remains, rounded up, so that no attempt comes too early: `7 days`, `25 hours`, `2 minutes`, `a moment`.
    package static func remaining(_ duration: Duration) -> String {
        let (whole, fraction) = duration.components
        let seconds = whole + (fraction > 0 ? 1 : 0)
        // The unit must fit twice or exactly once, or else one day and one hour would become two days.
        let unit =
            Unit.allCases.first { seconds >= 2 * $0.rawValue || seconds == $0.rawValue }
            ?? (seconds > 60 ? .minute : nil)
        return Words.en.ago(unit.map { (seconds + $0.rawValue - 1) / $0.rawValue } ?? 0, unit)
    }
}
