import PromoCore
import PromoWire
import Testing

@Suite struct OfflineMessageTests {
    private func text(_ language: Language, _ page: String = "https://apps.apple.com/app/id1") -> String {
        OfflineMessage.text(in: language, for: page)
    }

    @Test func eachLanguageHasItsOwn() {
        #expect(Set(Language.allCases.map { text($0) }).count == Language.allCases.count)
    }

    @Test func eachIsWrittenInItsScript() {
        func has(_ range: ClosedRange<Unicode.Scalar>, _ language: Language) -> Bool {
            text(language).unicodeScalars.contains { range.contains($0) }
        }
        #expect(text(.en).utf8.allSatisfy { $0 < 0x80 })
        #expect(has("가"..."힣", .ko) && !has("ぁ"..."ヿ", .ko))
        #expect(has("ぁ"..."ヿ", .ja) && !has("가"..."힣", .ja))
    }

    @Test(arguments: [
        ("https://apps.apple.com/app/id1", "The App Store"), ("https://flathub.org/apps/a.b.C", "Flathub"),
        ("https://snapcraft.io/a", "The Snap Store"), ("https://a.itch.io/b", "itch.io"),
        ("https://store.steampowered.com/app/1", "Steam"), ("https://shop.example/a", "The store"),
        ("https://notflathub.org/a", "The store"), ("no address", "The store"),
    ])
    func itNamesTheStoreToWhichTheTapLeads(page: String, store: String) {
        #expect(text(.en, page) == "\(store) needs an internet connection. Please try again when you are online.")
        for language in [Language.ko, .ja] {
            let name = store.replacing("The ", with: "")
            #expect(text(language, page).hasPrefix(name == "store" ? (language == .ko ? "스토어" : "ストア") : name))
        }
    }
}
