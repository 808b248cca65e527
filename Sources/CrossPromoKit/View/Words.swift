package import PromoWire

/// What the library tells the people who use a host app, in one language: about apps, never about promod. Errors for developers are in English.
package struct Words: Sendable {
    /// The problems that people are told of, one for each remedy.
    enum Trouble: CaseIterable {
        /// There is nothing to show, which nobody but the developer can change.
        case nothing
        case offline
        /// The developer has to correct something.
        case mistake
        /// The last attempt was too recent for another one.
        case deferred
        /// The list was not cleared, because no other could be loaded.
        case onlyCopy
        case other
    }

    let loading, tryAgain, everyAppLaunched, bundled: String
    /// What a list is called, and what is said of the sample.
    package let title, sample: String
    /// Below an interactive list, what its keys do: with rows, if trying again may help, and always.
    let keys: (rows: String, retry: String, leave: String)
    let comma: String
    /// The same on a terminal that sends lines.
    let numbers: String
    /// The patterns of a time, and of a day with its year, for strftime(3).
    let time, date: String
    let old: @Sendable (_ time: String) -> String
    /// A page was opened, or has this address.
    let opened, open: @Sendable (String) -> String
    /// Without a list, or with one that could not be updated. The remedy is empty if a person has none.
    let trouble: @Sendable (Trouble, _ hasList: Bool) -> (problem: String, remedy: String)

    /// English.
    static let en = Words(
        loading: "Loading…", tryAgain: "Try Again",
        everyAppLaunched: "There are no apps that you haven't tried yet.",
        bundled: "This list came with the app. There is no newer one yet.",
        title: "More Apps", sample: "These apps are made up, to show what this list looks like.",
        keys: ("↑ ↓ or a number selects, Enter opens", "r tries again", "q leaves"), comma: ", ",
        numbers: "A number, r or q, and Enter:",
        time: "%d %b %H:%M", date: "%d %b %Y",
        old: { "This list is from \($0) and may be out of date." },
        opened: { "Opening \($0) in the store…" },
        open: { "The page couldn't be opened. Open this address in your browser:\n\($0)" },
        trouble: {
            switch ($0, $1) {
            case (.nothing, false): ("There are no other apps to show.", "")
            case (.nothing, true), (.mistake, true): ("The list couldn't be updated.", "")
            case (.offline, false): ("You're offline.", "Connect to the internet to see more apps.")
            case (.offline, true):
                ("You're offline, so the list couldn't be updated.", "Connect to the internet, then try again.")
            case (.mistake, false):
                ("Apps can't be shown because of a mistake in this app.", "Please tell the app's developer.")
            case (.deferred, false):
                ("The apps couldn't be loaded a moment ago.", "Please wait a minute before you try again.")
            case (.deferred, true):
                ("The list couldn't be updated a moment ago.", "Please wait a minute before you try again.")
            case (.onlyCopy, _): ("The list was kept, because it can't be loaded again right now.", "")
            case (.other, false): ("Something went wrong, and apps can't be shown right now.", "Please try again.")
            case (.other, true): ("The list couldn't be updated.", "Please try again.")
            }
        })

    /// Korean.
    static let ko = Words(
        loading: "불러오는 중…", tryAgain: "다시 시도",
        everyAppLaunched: "아직 써 보지 않은 앱이 없어요.",
        bundled: "앱을 설치할 때 함께 받은 목록이에요. 아직 새 목록을 받지 못했어요.",
        title: "다른 앱 더 보기", sample: "목록을 미리 보여 주기 위한 가상의 앱이에요.",
        keys: ("↑ ↓ 또는 번호로 선택, Enter로 열기", "r로 다시 시도", "q로 나가기"), comma: ", ",
        numbers: "번호나 r, q를 입력한 뒤 Enter:",
        time: "%-m월 %-d일 %H:%M", date: "%Y년 %-m월 %-d일",
        old: { "\($0) 기준 목록이에요. 최신 정보와 다를 수 있어요." },
        opened: { "스토어에서 \($0) 페이지를 여는 중…" },
        open: { "페이지를 열지 못했어요. 브라우저에서 아래 주소를 열어 주세요.\n\($0)" },
        trouble: {
            switch ($0, $1) {
            case (.nothing, false): ("지금은 소개할 앱이 없어요.", "")
            case (.nothing, true), (.mistake, true): ("목록을 새로 불러오지 못했어요.", "")
            case (.offline, false): ("인터넷에 연결되어 있지 않아 앱을 볼 수 없어요.", "연결한 뒤 다시 시도해 주세요.")
            case (.offline, true):
                ("인터넷에 연결되어 있지 않아 목록을 새로 불러오지 못했어요.", "연결한 뒤 다시 시도해 주세요.")
            case (.mistake, false): ("이 앱에 문제가 있어 앱 목록을 불러오지 못했어요.", "앱 개발자에게 알려 주세요.")
            case (.deferred, false):
                ("조금 전에 확인했지만 앱 목록을 불러오지 못했어요.", "1분쯤 기다린 뒤 다시 시도해 주세요.")
            case (.deferred, true):
                ("조금 전에 확인했지만 목록을 새로 불러오지 못했어요.", "1분쯤 기다린 뒤 다시 시도해 주세요.")
            case (.onlyCopy, _): ("지금은 목록을 다시 불러올 수 없어 그대로 두었어요.", "")
            case (.other, false): ("문제가 생겨 지금은 앱을 볼 수 없어요.", "다시 시도해 주세요.")
            case (.other, true): ("목록을 새로 불러오지 못했어요.", "다시 시도해 주세요.")
            }
        })

    /// Japanese.
    static let ja = Words(
        loading: "読み込み中…", tryAgain: "もう一度試す",
        everyAppLaunched: "まだ使っていないアプリはありません。",
        bundled: "アプリに付属していた一覧です。新しい一覧はまだ取得できていません。",
        title: "ほかのアプリ", sample: "一覧の見本として用意した、架空のアプリです。",
        keys: ("↑↓または番号で選択、Enterで開く", "rでもう一度試す", "qで終了"), comma: "、",
        numbers: "番号、rまたはqを入力してEnter：",
        time: "%-m月%-d日 %H:%M", date: "%Y年%-m月%-d日",
        old: { "\($0)時点の一覧です。最新の情報と異なる場合があります。" },
        opened: { "ストアで「\($0)」のページを開いています…" },
        open: { "ページを開けませんでした。次のURLをブラウザーで開いてください。\n\($0)" },
        trouble: {
            switch ($0, $1) {
            case (.nothing, false): ("紹介できるアプリはありません。", "")
            case (.nothing, true), (.mistake, true): ("一覧を更新できませんでした。", "")
            case (.offline, false):
                ("オフラインのため、アプリを表示できません。", "インターネットに接続してから、もう一度お試しください。")
            case (.offline, true):
                ("オフラインのため、一覧を更新できませんでした。", "インターネットに接続してから、もう一度お試しください。")
            case (.mistake, false): ("このアプリの不具合のため、アプリを表示できません。", "アプリの開発者にお知らせください。")
            case (.deferred, false):
                ("先ほど確認しましたが、アプリを読み込めませんでした。", "1分ほど待ってから、もう一度お試しください。")
            case (.deferred, true):
                ("先ほど確認しましたが、一覧を更新できませんでした。", "1分ほど待ってから、もう一度お試しください。")
            case (.onlyCopy, _): ("今は一覧を読み込み直せないため、そのまま残しました。", "")
            case (.other, false): ("問題が発生したため、アプリを表示できません。", "もう一度お試しください。")
            case (.other, true): ("一覧を更新できませんでした。", "もう一度お試しください。")
            }
        })
}

extension Words {
    /// The problem and the remedy.
    func sentences(_ trouble: Trouble, hasList: Bool = false) -> String {
        let (problem, remedy) = self.trouble(trouble, hasList)
        return remedy.isEmpty || problem.hasSuffix("。") ? problem + remedy : "\(problem) \(remedy)"
    }

    /// That there are no apps.
    package var nothing: String { sentences(.nothing) }

    /// The words in a language.
    package init(in language: Language) {
        switch language {
        case .en: self = .en
        case .ko: self = .ko
        case .ja: self = .ja
        }
    }
}
