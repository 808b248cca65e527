import CrossPromoKit
import Glibc
import Testing

/// A text and its translations.
struct LocalizedTextTests {
    private let text = LocalizedText(en: "Books", ko: "독서", ja: "読書")

    @Test(
        arguments: [
            ("en", "Books"), ("ko", "독서"), ("ko-KR", "독서"), ("ja_JP.UTF-8", "読書"), ("KO", "독서"), ("de", "Books"),
            ("kok", "Books"), ("", "Books"), ("*", "Books"),
        ])
    func aTagChoosesTheTranslation(tag: String, shown: String) {
        #expect(text.localized(in: tag) == shown)
    }

    @Test(arguments: [LocalizedText(en: "Books"), LocalizedText(en: "Books", ko: "", ja: "")])
    func aTranslationThatIsAbsentOrEmptyFallsBackToEnglish(text: LocalizedText) {
        #expect(text.localized(in: "ko") == "Books")
        #expect(text.localized(in: "ja") == "Books")
    }

    @Test func theProcesssLanguageChoosesTheTranslation() async {
        await #expect(processExitsWith: .success) {
            let text = LocalizedText(en: "Books", ko: "독서", ja: "読書")
            unsetenv("LC_ALL")
            unsetenv("LC_MESSAGES")
            setenv("LANG", "ko_KR.UTF-8", 1)
            #expect(text.localized == "독서")
            setenv("LC_MESSAGES", "ja_JP.UTF-8", 1)
            #expect(text.localized == "読書")
            setenv("LC_ALL", "C", 1)
            #expect(text.localized == "Books")
            #expect(text.localized(in: "ko") == "독서")
        }
    }
}
