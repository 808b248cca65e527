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

    private func content(
        _ state: PromoService.LoadState, apps: [PromoApp]? = nil, error: PromoError? = nil, listing json: String? = nil
    ) throws -> MoreAppsContent {
        var content = MoreAppsContent()
        content.state = state
        content.apps = try apps ?? [.sample()]
        content.error = error
        content.listing = try json.map(listing)
        return content
    }

    private func lines(_ content: MoreAppsContent, after age: Duration = .seconds(90_000)) -> [String] {
        content.lines(on: terminal, now: Self.fetchedAt + age)
    }

    @Test func aFreshListIsItsRows() throws {
        #expect(lines(try content(.loaded, listing: Replies.list(["bookary"]))) == [plainRow])
        #expect(lines(try content(.loaded)) == [plainRow])
        #expect(lines(try content(.idle, apps: [])).isEmpty)
    }

    @Test func anOldListWithAnErrorSaysItsAgeAndWhy() throws {
        let error = PromoError(.daemonUnreachable, message: "No socket at /s.")
        let old = try content(.cached, error: error, listing: Replies.list(["bookary"]))
        let shown = lines(old, after: .seconds(90_000))
        #expect(shown.count == 4)
        #expect(shown.prefix(2) == [plainRow, ""])
        #expect(shown.dropFirst(2).first == "This list is from \(fetched), 1 day ago.")
        #expect(shown.last == "The list of apps cannot be updated, because promod cannot be reached. Start promod.")
    }

    @Test func aFreshListWithoutADaemonIsNotCalledOld() throws {
        let error = PromoError(.daemonUnreachable, message: "No socket at /s.")
        let listing = Replies.list(["bookary"], expiresAt: "2026-11-22T01:09:00Z")
        let fresh = try content(.cached, error: error, listing: listing)
        #expect(
            lines(fresh, after: .seconds(30))
                == [
                    plainRow, "", "The list of apps cannot be updated, because promod cannot be reached. Start promod.",
                ])
    }

    @Test func whatPeopleReadIsInTheirLanguage() throws {
        var empty = try content(.empty(canRetry: true), apps: [])
        empty.words = .ko
        #expect(lines(empty) == ["아직 보여 줄 앱이 없습니다.", "[ 다시 시도 ]"])
    }

    @Test(
        arguments: [
            (false, false, nil, []), (false, true, nil, ["promod tries again at "]),
            (true, true, nil, ["promod tries again at ", "[ Try Again ]"]),
            (
                true, true, PromoError(.refreshFailed, reason: "dns", message: "No."),
                ["promod tries again at ", "[ Try Again ]"]
            ),
            // Without promod, nobody knows when it tries.
            (true, true, PromoError(.daemonUnreachable, message: "No socket."), ["[ Try Again ]"]),
        ] as [(Bool, Bool, PromoError?, [String])])
    func anEmptyListSaysWhenPromodTriesAgainAndOffersToTry(
        canRetry: Bool, isPlanned: Bool, error: PromoError?, rest: [String]
    ) throws {
        let retryAt = isPlanned ? Replies.fetchedAt : nil
        let listing = Replies.list([], state: "empty", source: "none", canRetry: canRetry, retryAt: retryAt)
        let shown = lines(try content(.empty(canRetry: canRetry), apps: [], error: error, listing: listing))
        if error == nil { #expect(shown.first == "There are no apps to show yet." && shown.count == 1 + rest.count) }
        if error?.code == .daemonUnreachable { #expect(shown.count == 2) }
        #expect(shown.suffix(rest.count) == (rest.map { $0.hasPrefix("[") ? $0 : "\($0)\(fetched)." })[...])
    }

    @Test func anErrorWithoutAListIsShownInItsPlace() throws {
        let error = PromoError(.timedOut, message: "promod did not answer on /s.")
        #expect(
            lines(try content(.empty(canRetry: true), apps: [], error: error))
                == ["The list of apps cannot be updated right now. Try again later.", "[ Try Again ]"])
    }

    @Test func aRuleThatPromotesNothingIsReported() throws {
        var none = try content(.empty(canRetry: false), apps: [], listing: Replies.list([], emptyBecause: "rule"))
        none.host = "finebill"
        #expect(lines(none) == ["finebill promotes no other app."])
        none.host = nil
        #expect(lines(none) == ["The catalog promotes no other app."])
        none.listing?.emptiness = .launched
        #expect(lines(none) == ["Every app has already been launched."])
    }

    @Test(
        arguments: [
            ("bookery", " Did you mean \"bookary\"?"), ("stedio", ""),
        ])
    func aHostThatTheCatalogDoesNotHaveIsReported(host: String, meant: String) throws {
        var unknown = try content(.loaded, listing: Replies.list(["bookary"], hostKnown: false))
        unknown.host = host
        let shown = lines(unknown)
        #expect(shown.prefix(2) == [plainRow, ""])
        #expect(shown.last?.contains(" \"\(host)\",") == true)
        #expect(shown.last?.hasSuffix(".\(meant)") == true)
    }

    @Test func theSampleIsCalledASample() throws {
        let shown = lines(try content(.loaded, listing: Replies.list(["bookary"], source: "sample")))
        #expect(shown.prefix(2) == [plainRow, ""])
        for part in ["sample", "made-up", "promoctl setup"] { #expect(shown.last?.contains(part) == true) }
    }

    @Test func inColourARemarkIsDimAWarningYellowAndAnActionBold() throws {
        let terminal = Terminal(columns: 100, hasColor: true)
        let error = PromoError(.timedOut, message: "Too slow.")
        let now = Self.fetchedAt
        #expect(
            try content(.loading, apps: []).lines(on: terminal, now: now) == ["\u{1B}[2mLoading…\u{1B}[0m"])
        #expect(
            try content(.empty(canRetry: true), apps: [], error: error).lines(on: terminal, now: now)
                == [
                    "\u{1B}[33mThe list of apps cannot be updated right now. Try again later.\u{1B}[0m",
                    "\u{1B}[1m[ Try Again ]\u{1B}[0m",
                ])
        #expect(
            try content(.empty(canRetry: false), apps: []).lines(on: terminal, now: now)
                == ["\u{1B}[2mThere are no apps to show yet.\u{1B}[0m"])
    }

    @Test func aNoticeCannotCommandTheTerminal() throws {
        let notice = MoreAppsContent.Notice(.action, "Again:\n\u{1B}[2Jgone\u{202E}")
        #expect(notice.lines(on: Terminal()) == ["[ Again: \u{241B}[2Jgone ]"])
    }

    @Test(arguments: 20...120)
    func noNoticeIsWiderThanTheTerminal(columns: Int) throws {
        var old = try content(
            .cached, error: PromoError(.timedOut, message: "promod did not answer in the time that it had."),
            listing: Replies.list(["bookary"], state: "expired", hostKnown: false))
        old.host = "bookery"
        let terminal = Terminal(columns: columns, hasColor: true, hasLinks: true)
        for line in old.lines(on: terminal, now: Self.fetchedAt) {
            #expect(line.withoutSequences.displayWidth <= columns, "\(line.debugDescription)")
        }
    }
}
