import PromoCore
import PromoWire
import Testing

@Suite struct OfflineMessageTests {
    @Test func eachLanguageHasItsOwn() {
        #expect(Set(Language.allCases.map(OfflineMessage.text)).count == Language.allCases.count)
    }

    @Test func eachIsWrittenInItsScript() {
        func has(_ range: ClosedRange<Unicode.Scalar>, _ language: Language) -> Bool {
            OfflineMessage.text(in: language).unicodeScalars.contains { range.contains($0) }
        }
        #expect(OfflineMessage.text(in: .en).utf8.allSatisfy { $0 < 0x80 })
        #expect(has("가"..."힣", .ko) && !has("ぁ"..."ヿ", .ko))
        #expect(has("ぁ"..."ヿ", .ja) && !has("가"..."힣", .ja))
    }
}
