@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Rows compared with apps that are encoded one by one.
struct AppRowsTests {
    private static let languages: [TaglineLanguage] = Language.allCases.map(TaglineLanguage.one) + [.all]

    private static func apps(using generator: inout SeededGenerator) -> [PromoApp] {
        (0..<Int.random(in: 1...30, using: &generator)).map { number in
            func text() -> String {
                String(
                    (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                        "aé\"\\\n빌".randomElement(using: &generator) ?? "a"
                    })
            }
            func texts() -> LocalizedText {
                func some() -> OutsideText? { Bool.random(using: &generator) ? OutsideText(text()) : nil }
                return LocalizedText(en: OutsideText(text()), ko: some(), ja: some())
            }
            return PromoApp(
                id: "\(Int.random(in: 0...9, using: &generator))-\(number)", name: OutsideText(text()),
                appStoreID: Bool.random(using: &generator) ? "1\(number)" : nil, iconURL: "https://i.example/\(number)",
                category: texts(), tagline: texts(), storeURL: "https://s.example/\(number)")
        }
    }

    private static func ranges(of count: Int, using generator: inout SeededGenerator) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = 0
        while true {
            position += Int.random(in: 0...3, using: &generator)
            let end = position + Int.random(in: 1...4, using: &generator)
            guard end <= count else { return ranges }
            ranges.append(position..<end)
            position = end
        }
    }

    @Test(arguments: 0..<50)
    func anyRangesInAnyLanguageAreTheAppsOneByOne(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let apps = Self.apps(using: &generator)
        let rows = AppRows(apps)
        let ranges = Self.ranges(of: apps.count, using: &generator)
        let limit = Bool.random(using: &generator) ? Int.random(in: 1...35, using: &generator) : nil
        for language in Self.languages {
            for iconPath in [nil, { $0.hasSuffix("1") ? "/\"1" : nil }] as [((String) -> String?)?] {
                let positions = ranges.flatMap { Array($0) }.prefix(limit ?? .max)
                let wanted = try positions.map { try apps[$0].row(in: language, at: $0, iconPath: iconPath) }
                let selection = PreparedCatalog.Selection(ranges: ranges, isHostKnown: true).first(
                    limit, among: [0..<apps.count])
                let text = rows.list(in: language, iconPath: iconPath).text(selection)
                #expect(String(decoding: text, as: UTF8.self) == "[\(wanted.joined(separator: ","))]")
            }
        }
    }

    @Test func scatteredRowsAreReferencedAndNotCopied() {
        var generator = SeededGenerator(seed: 1)
        let rows = AppRows(Self.apps(using: &generator))
        var queue = OutputQueue()
        queue.array(of: rows.list(in: .one(.en)), stride(from: 0, to: rows.count, by: 2).map { $0..<$0 + 1 })
        #expect(queue.json.bytes.count == 1)
        #expect(queue.size > queue.json.bytes.count)
    }

    @Test func aRowOfAllLanguagesHasEveryTranslation() throws {
        let app = PromoApp(
            id: "a", name: "A", appStoreID: nil, iconURL: "https://i.example/",
            category: LocalizedText(en: "C", ko: "분류"),
            tagline: LocalizedText(en: "T", ko: "글", ja: "文"), storeURL: "https://s.example/")
        let row =
            #"{"id":"a","name":"A","appStoreID":null,"iconURL":"https://i.example/","category":"C","#
            + #""categories":{"ko":"분류"},"tagline":{"en":"T","ko":"글","ja":"文"},"storeURL":"https://s.example/","#
            + ##""placeholder":{"initials":"A","color":"#005f87"}}"##
        #expect(try app.row(in: .all) == row)
    }

    @Test(arguments: 0..<20)
    func everyAppIsFoundByItsIDAndNoOther(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let apps = Self.apps(using: &generator)
        let rows = AppRows(apps)
        #expect(rows.count == apps.count)
        for (position, app) in apps.enumerated() {
            #expect(rows.position(of: app.id) == position)
            let found = rows.app(at: position)
            let texts = [found?.id, found?.appStoreID, found?.iconURL, found?.storeURL]
            #expect(texts == [app.id, app.appStoreID, app.iconURL, app.storeURL])
            for stranger in [app.id + "-", app.id + "0", String(app.id.dropLast()), ""]
            where !apps.contains(where: { $0.id == stranger }) {
                #expect(rows.position(of: stranger) == nil)
            }
        }
    }
}
