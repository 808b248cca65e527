import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Rows compared with apps that are encoded one by one.
struct AppRowsTests {
    private static let languages: [TaglineLanguage] = Language.allCases.map(TaglineLanguage.one) + [.all]

    private static func apps(using generator: inout SeededGenerator) -> [ListResult.App] {
        (0..<Int.random(in: 1...30, using: &generator)).map { number in
            func text() -> String {
                String(
                    (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                        "aé\"\\\n빌".randomElement(using: &generator) ?? "a"
                    })
            }
            var tagline = [Language.en: OutsideText(text())]
            for language in [Language.ko, .ja] where Bool.random(using: &generator) {
                tagline[language] = OutsideText(text())
            }
            return ListResult.App(
                id: "\(Int.random(in: 0...9, using: &generator))-\(number)", name: OutsideText(text()),
                appStoreID: "1\(number)",
                iconURL: text(), category: OutsideText(text()), tagline: tagline, storeURL: text())
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
    func anyRangesInAnyLanguageAreTheAppsOneByOne(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let apps = Self.apps(using: &generator)
        let rows = AppRows(apps)
        let ranges = Self.ranges(of: apps.count, using: &generator)
        let limit = Bool.random(using: &generator) ? Int.random(in: 1...35, using: &generator) : nil
        for language in Self.languages {
            var wanted = JSONWriter()
            wanted.array { writer in
                for position in ranges.flatMap({ Array($0) }).prefix(limit ?? .max) {
                    writer.plain(apps[position], in: language)
                }
            }
            let shared = SharedRows(of: rows, ranges, in: language, limit: limit)
            #expect(String(decoding: shared.text, as: UTF8.self) == String(decoding: wanted.bytes, as: UTF8.self))
        }
    }

    @Test(arguments: 0..<20)
    func everyAppIsFoundByItsIDAndNoOther(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let apps = Self.apps(using: &generator)
        let rows = AppRows(apps)
        #expect(rows.count == apps.count)
        for (position, app) in apps.enumerated() {
            #expect(rows.position(of: app.id) == position)
            #expect(rows.id(at: position) == app.id)
            #expect(rows.appStoreID(at: position) == app.appStoreID)
            for stranger in [app.id + "-", app.id + "0", String(app.id.dropLast()), ""]
            where !apps.contains(where: { $0.id == stranger }) {
                #expect(rows.position(of: stranger) == nil)
            }
        }
    }
}
