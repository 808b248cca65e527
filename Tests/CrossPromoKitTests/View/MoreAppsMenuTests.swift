import PromoTestSupport
import PromoWire
import Testing

@testable import CrossPromoKit

/// What keys do to the list on a terminal.
struct MoreAppsMenuTests {
    private func keys(_ text: String) -> [Keyboard.Key] {
        var parser = KeyParser()
        return text.utf8.compactMap { parser.take($0) }
    }

    @Test func bytesAreKeys() {
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[1;5A\r\n") == [.up, .down, .up, .enter, .enter])
        #expect(keys("12rRqQ\u{3}\u{4}") == [.digit(1), .digit(2), .retry, .retry, .leave, .leave, .leave, .leave])
        #expect(keys("\u{1B}q\u{1B}\u{3}\u{1B}\u{1B}[A") == [.leave, .leave, .up])
        #expect(
            keys("\u{1B}[5~\u{1B}[6;5~\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~")
                == [.pageUp, .pageDown, .home, .end, .home, .end, .home, .end])
        #expect(keys("x\u{1B}[15~가\u{1B}[") == [.other, .other, .other])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 30) + "q") == [.other, .leave])
    }

    @Test func withAKoreanInputMethodTheKeysAreTheSame() {
        #expect(keys("ㅂㅃㄱㄲㅁ") == [.leave, .leave, .retry, .retry, .other])
    }

    @Test func escapeIsAKeyOnlyIfNothingFollows() {
        var parser = KeyParser()
        let isEscape = "\u{1B}\u{1B}[".utf8.map { byte in
            _ = parser.take(byte)
            return parser.isEscape
        }
        #expect(isEscape == [true, true, false])
    }

    @Test(arguments: [
        ("\u{1B}[B\u{1B}[B\n", 2), ("\u{1B}[A\n", 0), ("3\n", 2), ("12\n", 11), ("13\n", 2), ("9\u{1B}[A\n", 7),
        ("0\n", 0),
        ("1\u{1B}[B2\n", 1), ("\u{1B}[F\n", 11), ("\u{1B}[F\u{1B}[A\u{1B}[H\n", 0),
    ])
    func arrowsAndNumbersSelectAndEnterTaps(typed: String, row: Int) {
        var menu = MoreAppsMenu(isByLine: false)
        var action: MoreAppsMenu.Action?
        for key in keys(typed) { action = menu.take(key, count: 12) }
        #expect(action == .tap(row))
    }

    @Test func ofLinesOnlyNumbersTap() {
        var menu = MoreAppsMenu(isByLine: true)
        #expect(
            keys("r\n\n7\n2\nq").map { menu.take($0, count: 3) } == [.retry, nil, nil, nil, nil, nil, .tap(1), .leave])
    }

    @Test func theSelectionStaysInAListThatShrinks() {
        var menu = MoreAppsMenu(isByLine: false)
        for _ in 1...50 { _ = menu.take(.down, count: 50) }
        #expect(menu.take(.up, count: 3) == nil)
        #expect(menu.selected == 1)
        #expect(menu.take(.enter, count: 1) == .tap(0))
    }

    @Test func aPageIsWhatIsShown() throws {
        let content = try content(of: 100)
        var terminal = Terminal(columns: 60)
        terminal.lines = 12
        var menu = MoreAppsMenu(isByLine: false)
        let (_, rows) = menu.draw(content, on: terminal, now: Timestamp(seconds: 0))
        _ = menu.take(.pageDown, count: 100)
        #expect(menu.selected == rows.count)
        _ = menu.take(.pageUp, count: 100)
        #expect(menu.selected == 0)
    }

    private func content(of count: Int, state: String = "fresh") throws -> MoreAppsContent {
        let list = Replies.list((1...count).map { "app\($0)" }, state: state)
        return try MoreAppsContent(ListResult(JSONDocument(Array(list.utf8), maximumDepth: 8).root))
    }

    /// What is left of an old list's notice and of the keys, beside how many rows.
    @Test(arguments: [
        (80, 24, 5, true, true), (40, 10, 4, true, false), (30, 6, 2, true, false), (20, 3, 1, false, false),
    ])
    func noticesGiveWayToRows(columns: Int, height: Int, rows: Int, hasAge: Bool, hasKeys: Bool) throws {
        var terminal = Terminal(columns: columns)
        terminal.lines = height
        var menu = MoreAppsMenu(isByLine: false)
        let (lines, shown) = try menu.draw(content(of: 5, state: "expired"), on: terminal, now: Timestamp(seconds: 0))
        let text = lines.joined(separator: " ")
        #expect(lines.count <= height)
        #expect(shown.count == rows)
        #expect(["out of date", "q leaves"].map(text.contains) == [hasAge, hasKeys], "\(text)")
        guard height >= 4 else { return }
        menu.message = "The page couldn't be opened. Open this address in your browser:\nhttps://a.example/\(columns)"
        let answer = try menu.draw(content(of: 5), on: terminal, now: Timestamp(seconds: 0)).lines
        #expect(answer.joined().contains("https://a.example/\(columns)"))
    }

    @Test func theKeysDoNotTakeThePlaceOfAnAgeForWhichThereIsNoRoom() throws {
        var terminal = Terminal(columns: 30)
        terminal.lines = 6
        var content = try content(of: 5, state: "expired")
        content.language = .ja
        var menu = MoreAppsMenu(isByLine: false)
        let (lines, rows) = menu.draw(content, on: terminal, now: Timestamp(seconds: 0))
        #expect(rows.count == 3)
        #expect(lines.count == 6)
    }

    @Test func withoutRowsEnterDoesNothing() {
        var menu = MoreAppsMenu(isByLine: false)
        #expect(keys("1\n\u{1B}[B\n").compactMap { menu.take($0, count: 0) } == [])
    }

    @Test func theSelectedRowIsAlwaysInTheWindow() throws {
        let content = try content(of: 100)
        var terminal = Terminal(columns: 60)
        for height in [1, 4, 10, 200] {
            terminal.lines = height
            var menu = MoreAppsMenu(isByLine: false)
            for number in 1...100 {
                let (lines, rows) = menu.draw(content, on: terminal, now: Timestamp(seconds: 0))
                #expect(lines.count <= height)
                #expect(rows.contains(menu.selected))
                let marked = lines.filter { $0.hasPrefix("> ") }
                #expect(marked.map { $0.contains("APP\(number) ") } == [true])
                _ = menu.take(.down, count: 100)
            }
        }
    }
}
