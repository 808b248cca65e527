import CrossPromoKit
import Glibc
import Testing

/// A text and its translations.
struct LocalizedTextTests {
    private static let text = LocalizedText(en: "Books", ko: "독서", ja: "読書")

    @Test func aTagChoosesTheTranslation() {
        #expect(["ko-KR", "ja_JP.UTF-8", "de"].map { Self.text.localized(in: $0) } == ["독서", "読書", "Books"])
        #expect(LocalizedText(en: "Books", ko: "").localized(in: "ko") == "Books")
    }

    @Test func theProcesssLanguageChoosesTheTranslation() async {
        await #expect(processExitsWith: .success) {
            unsetenv("LANGUAGE")
            setenv("LC_ALL", "ja_JP.UTF-8", 1)
            #expect(Self.text.localized == "読書")
        }
    }
}
