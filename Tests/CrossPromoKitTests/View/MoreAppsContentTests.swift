@testable import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoSystem
import PromoWire
import Testing

/// The contents of the view in each state of the list.
struct MoreAppsContentTests {
    private let terminal = Terminal(columns: 100)
    private let plainRow = "[Bo] bookary  Books  Every book you read"

    private static let fetchedAt = Timestamp(rfc3339: Replies.fetchedAt) ?? Timestamp(seconds: 0)
    private var fetched: String { LocalTime.short(Self.fetchedAt) }

    private func listing(_ json: String) throws -> ListResult {
        try ListResult(JSONDocument(Array(json.utf8), maximumDepth: 8).root)
    }

    /// The content of a list that promod has sent, or of none, and of an error since.
    private func content(
        _ list: String?, apps: [PromoApp]? = nil, failure: PromoError? = nil, isLoading: Bool = false
    ) throws -> MoreAppsContent {
        var content = MoreAppsContent()
        if let result = try list.map(listing) {
            content.answer = LastAnswer(PromoList(try apps ?? (result.apps.isEmpty ? [] : [.sample()]), result))
        }
        (content.answer.failure, content.isLoading) = (failure, isLoading)
        return content
    }

    private static func empty(canRetry: Bool = false, error code: String? = nil) -> String {
        Replies.list([], state: "empty", source: "none", canRetry: canRetry, error: code)
    }

    private func lines(_ content: MoreAppsContent, after age: Duration = .seconds(90_000)) -> [String] {
        content.lines(on: terminal, now: Self.fetchedAt + age)
    }

    @Test func aFreshListIsItsRows() throws {
        #expect(lines(try content(Replies.list(["bookary"]))) == [plainRow])
        #expect(lines(try content(nil)).isEmpty)
    }

    @Test(arguments: [
        nil, PromoError(.daemonUnreachable, message: "No socket at /s."),
        PromoError(.timedOut, message: "promod did not answer on /s."),
    ])
    func anOldListSaysItsTimeWhateverIsTheCause(failure: PromoError?) throws {
        let old = try content(Replies.list(["bookary"], state: "expired", error: "dns"), failure: failure)
        #expect(lines(old) == [plainRow, "", "This list is from \(fetched) and may be out of date."])
    }

    @Test func theDayOfAListThatIsHalfAYearOldHasItsYear() throws {
        var old = try content(Replies.list(["bookary"], state: "expired"))
        #expect(
            lines(old, after: .seconds(200 * 86_400)).last == "This list is from 21 Nov 2026 and may be out of date.")
        old.language = .ko
        #expect(lines(old, after: .seconds(200 * 86_400)).last?.hasPrefix("2026년 11월 21일") == true)
    }

    @Test func withoutADaemonAListIsNotUpdatedAndCalledOldOnceItHasExpired() throws {
        let failure = PromoError(.daemonUnreachable, message: "No socket at /s.")
        let listing = Replies.list(["bookary"], expiresAt: "2026-11-22T01:09:00Z")
        let fresh = try content(listing, failure: failure)
        let notUpdated = "The list couldn't be updated. Please try again."
        #expect(lines(fresh, after: .seconds(30)) == [plainRow, "", notUpdated])
        #expect(lines(fresh).last == "This list is from \(fetched) and may be out of date.")
    }

    @Test func whatPeopleReadIsInTheirLanguage() throws {
        var empty = try content(Self.empty(canRetry: true))
        empty.language = .ko
        #expect(lines(empty) == ["지금은 소개할 앱이 없어요.", "[ 다시 시도 ]"])
    }

    private nonisolated static let (offline, wrong) = (
        "You're offline. Connect to the internet to see more apps.",
        "Something went wrong, and apps can't be shown right now. Please try again."
    )

    @Test(
        arguments: [
            (empty(), nil, ["There are no other apps to show."]),
            (empty(canRetry: true), nil, ["There are no other apps to show.", "[ Try Again ]"]),
            (empty(canRetry: true, error: "dns"), nil, [offline, "[ Try Again ]"]),
            (empty(canRetry: true, error: "schema"), nil, [wrong, "[ Try Again ]"]),
            (empty(error: "dns"), nil, [offline]),
            (nil, PromoError(.daemonUnreachable, message: "No socket."), [wrong, "[ Try Again ]"]),
            (empty(error: "dns"), PromoError(.timedOut, message: "Too slow."), [wrong, "[ Try Again ]"]),
            (
                nil, PromoError(.unknownCatalog, message: "No catalog."),
                ["Apps can't be shown because of a mistake in this app. Please tell the app's developer."]
            ),
            (nil, PromoError(.notConfigured, message: "None."), ["There are no other apps to show."]),
            (Replies.list([], emptyBecause: "rule"), nil, ["There are no other apps to show."]),
            (Replies.list([], emptyBecause: "launched"), nil, ["There are no apps that you haven't tried yet."]),
        ] as [(String?, PromoError?, [String])])
    func anEmptyListSaysWhyAndOffersToTryAgainIfThatMayHelp(
        list: String?, failure: PromoError?, shown: [String]
    ) throws {
        #expect(lines(try content(list, failure: failure)) == shown)
    }

    @Test(arguments: [("bookery", " Did you mean \"bookary\"?"), ("stedio", " is shown every app.")])
    func theDeveloperIsToldOfItWithTheNearestId(host: String, end: String) throws {
        let list = try PromoList([.sample()], listing(Replies.list(["bookary"], hostKnown: false)))
        let text = try #require(Mistake(host: host, of: list)).text
        #expect(text.contains(" \"\(host)\","))
        #expect(text.hasSuffix(end))
        #expect(Mistake(host: nil, of: list) == nil)
        #expect(try Mistake(host: host, of: PromoList([], listing(Replies.list([])))) == nil)
    }

    @Test func inColourARemarkIsDimAWarningYellowAndAnActionBold() throws {
        let terminal = Terminal(columns: 100, hasColor: true)
        func drawn(_ content: MoreAppsContent) -> [String] { content.lines(on: terminal, now: Self.fetchedAt) }
        #expect(drawn(try content(nil, isLoading: true)) == ["\u{1B}[2mLoading…\u{1B}[0m"])
        #expect(
            drawn(try content(nil, failure: PromoError(.timedOut, message: "Too slow.")))
                == ["\u{1B}[33m\(Self.wrong)\u{1B}[0m", "\u{1B}[1m[ Try Again ]\u{1B}[0m"])
    }

    @Test func aNoticeCannotCommandTheTerminal() throws {
        let notice = MoreAppsContent.Notice(.action, "Again:\n\u{1B}[2Jgone\u{202E}")
        #expect(notice.lines(on: Terminal()) == ["[ Again: \u{241B}[2Jgone ]"])
    }

    @Test(arguments: 20...120)
    func noNoticeIsWiderThanTheTerminal(columns: Int) throws {
        let old = try content(
            Replies.list(["bookary"], state: "expired", hostKnown: false),
            failure: PromoError(.timedOut, message: "promod did not answer in the time that it had."))
        let terminal = Terminal(columns: columns, hasColor: true, hasLinks: true)
        for line in old.lines(on: terminal, now: Self.fetchedAt) {
            #expect(line.withoutSequences.displayWidth <= columns, "\(line.debugDescription)")
        }
    }
}
