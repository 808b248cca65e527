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
        #expect(keys("x\u{1B}[5~\u{1B}[").count == 2)
        #expect(keys("\u{1B}q\u{1B}\u{3}") == [.leave, .leave])
    }

    @Test(arguments: [
        ("\u{1B}[B\u{1B}[B\n", 2), ("\u{1B}[A\n", 0), ("3\n", 2), ("12\n", 11), ("13\n", 2), ("9\u{1B}[A\n", 7),
        ("0\n", 0),
        ("1\u{1B}[B2\n", 1),
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
        #expect(menu.take(.up, count: 3) == nil && menu.selected == 1)
        #expect(menu.take(.enter, count: 1) == .tap(0))
    }

    @Test func withoutRowsEnterDoesNothing() {
        var menu = MoreAppsMenu(isByLine: false)
        #expect(keys("1\n\u{1B}[B\n").compactMap { menu.take($0, count: 0) } == [])
    }

    @Test func theSelectedRowIsAlwaysInTheWindow() throws {
        let ids = (1...100).map { "app\($0)" }
        let content = try MoreAppsContent(ListResult(JSONDocument(Array(Replies.list(ids).utf8), maximumDepth: 8).root))
        var terminal = Terminal(columns: 60)
        for height in [1, 4, 10, 200] {
            terminal.lines = height
            var menu = MoreAppsMenu(isByLine: false)
            for number in 1...100 {
                let (lines, rows) = menu.draw(content, on: terminal, now: Timestamp(seconds: 0))
                #expect(lines.count <= max(height, 7) && rows.contains(menu.selected))
                #expect(lines.contains { $0.hasPrefix("> ") && $0.contains("APP\(number) ") })
                _ = menu.take(.down, count: 100)
            }
        }
    }
}
