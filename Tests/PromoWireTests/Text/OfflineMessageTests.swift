import PromoWire
import Testing

@Suite struct OfflineMessageTests {
    private func text(_ language: Language) -> String { OfflineMessage.text(in: language) }

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
}
