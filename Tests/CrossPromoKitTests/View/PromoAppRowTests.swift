@testable import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// The rows of a list at every width.
struct PromoAppRowTests {
    private func content(_ apps: [PromoApp]) -> MoreAppsContent {
        var (content, result) = (MoreAppsContent(), ListResult())
        result.freshness.state = .fresh
        content.answer = LastAnswer(PromoList(apps, result))
        return content
    }

    private func examples() throws -> MoreAppsContent {
        content([
            try .sample("bookary", name: "Bookary", category: "독서", tagline: "Every book you read"),
            try .sample(
                "finebill", name: "FineBill Subscriptions", category: "Finance",
                tagline: "What you pay, and when it is due"),
        ])
    }

    @Test func aCategoryIsInTheLanguageOfTheTagline() throws {
        let sample = try PromoApp.sample()
        let app = PromoApp(
            id: "a", name: "A", appStoreID: "1", iconURL: sample.iconURL,
            category: LocalizedText(en: "Books", ko: "책"), tagline: LocalizedText(en: "Read", ko: "독서"))
        #expect(PromoAppRow(app: app, language: "ko").lines(on: Terminal()) == ["[··] A  책  독서"])
        #expect(PromoAppRow(app: app, language: "ja").lines(on: Terminal()) == ["[··] A  Books  Read"])
    }

    @Test func withoutALimitNothingIsCut() throws {
        #expect(
            try examples().rows(on: Terminal()) == [
                "[Bo] Bookary                 독서     Every book you read",
                "[Fi] FineBill Subscriptions  Finance  What you pay, and when it is due",
            ])
    }

    @Test func aLongNameIsNotCutAndPadsNoOtherRow() throws {
        let long = String(repeating: "x", count: 41)
        let apps = try [("bookary", "Bookary"), ("long", long), ("stedio", String(long.dropLast()))].map {
            try PromoApp.sample($0, name: $1)
        }
        #expect(
            content(apps).rows(on: Terminal()) == [
                "[Bo] Bookary\(String(repeating: " ", count: 35))Books  Every book you read",
                "[Xx] \(long)  Books  Every book you read",
                "[Xx] \(long.dropLast())  Books  Every book you read",
            ])
    }

    @Test(arguments: [nil, 80])
    func whatIsDrawnIsNoLongerThanWhatTheCatalogSays(columns: Int?) throws {
        let (many, long) = (500, String(repeating: "name ", count: 20_000))
        var apps = try (0..<many).map { try PromoApp.sample("app-\($0)") }
        apps.append(try .sample("long", name: long, category: long, tagline: long))
        let bytes = content(apps).rows(on: Terminal(columns: columns)).reduce(0) { $0 + $1.utf8.count }
        #expect(bytes <= many * 150 + (columns == nil ? 3 * long.utf8.count + 150 : 150))
    }

    @Test func idsHaveAColumnOfTheirOwnWhereNoTaglineIsCutForIt() throws {
        var content = try examples()
        let without = content.rows(on: Terminal(columns: 79))
        content.showsIDs = true
        #expect(content.rows(on: Terminal(columns: 79)) == without)
        #expect(content.rows(on: Terminal()).allSatisfy { !$0.contains("finebill") })
        #expect(
            content.rows(on: Terminal(columns: 80)) == [
                "[Bo] Bookary                 bookary   독서     Every book you read",
                "[Fi] FineBill Subscriptions  finebill  Finance  What you pay, and when it is due",
            ])
    }

    @Test func aTaglineIsOnTheSameLineIfThereIsRoom() throws {
        #expect(
            try examples().rows(on: Terminal(columns: 60)) == [
                "[Bo] Bookary               독서     Every book you read",
                "[Fi] FineBill Subscripti…  Finance  What you pay, and when …",
            ])
    }

    @Test func aTaglineIsOnALineOfItsOwnIfThereIsLittleRoom() throws {
        #expect(
            try examples().rows(on: Terminal(columns: 40)) == [
                "[Bo] Bookary        독서",
                "     Every book you read",
                "[Fi] FineBill Sub…  Finance",
                "     What you pay, and when it is due",
            ])
    }

    @Test func aColouredRowIsTheSameTextWithStylesAndALink() throws {
        let terminal = Terminal(columns: 60, hasColor: true, hasLinks: true)
        let app = try PromoApp.sample(name: "Bookary")
        let link = "\u{1B}]8;;https://apps.apple.com/app/id1\u{1B}\\\u{1B}[1mBookary\u{1B}[0m\u{1B}]8;;\u{1B}\\"
        #expect(
            PromoAppRow(app: app, language: "en").lines(on: terminal)
                == ["\u{1B}[1;97;48;5;60m Bo \u{1B}[0m \(link)  \u{1B}[36mBooks\u{1B}[0m  Every book you read"])
        let rows = try examples().rows(on: terminal).map(\.withoutSequences)
        let plain = try examples().rows(on: Terminal(columns: 60))
        #expect(rows.map { $0.dropFirst(4) } == plain.map { $0.dropFirst(4) })
    }

    @Test(arguments: 20...200)
    func noRowIsWiderThanTheTerminalAndTheColumnsAreAligned(columns: Int) throws {
        var generator = SeededGenerator(seed: UInt64(columns))
        let apps = try (0..<12).map { index in
            try PromoApp.sample(
                "app-\(index)", name: Texts.random(20, using: &generator),
                category: "CATx\(Texts.random(8, using: &generator))",
                tagline: "TAGx" + Texts.random(60, using: &generator))
        }
        for hasColor in [false, true] {
            let terminal = Terminal(columns: columns, hasColor: hasColor, hasLinks: hasColor)
            let rows = content(apps).rows(on: terminal).map(\.withoutSequences)
            for row in rows { #expect(row.displayWidth <= columns, "\(row.debugDescription)") }
            for marker in ["CAT", "TAG"] {
                let starts = rows.compactMap { row in
                    row.range(of: marker).map { String(row[..<$0.lowerBound]).displayWidth }
                }
                #expect(starts.count == apps.count)
                #expect(Set(starts).count == 1, "\(starts)")
            }
            #expect(rows.allSatisfy { $0 == $0.printable })
        }
    }

    @Test(arguments: [-1, 0, 1, 12, .max])
    func noWidthIsTooStrangeToDraw(columns: Int) throws {
        #expect(try examples().rows(on: Terminal(columns: columns)).count >= 2)
    }
}
