import CrossPromoKit
import Glibc
import Testing

/// A text and its translations.
struct LocalizedTextTests {
    private let text = LocalizedText(en: "Books", ko: "독서", ja: "読書")

    @Test(
        arguments: [
            ("ko-KR", "독서"), ("ja_JP.UTF-8", "読書"), ("de", "Books"), ("", "Books"),
        ])
    func aTagChoosesTheTranslation(tag: String, shown: String) {
        #expect(text.localized(in: tag) == shown)
        #expect(LocalizedText(en: "Books", ko: "").localized(in: tag) == "Books")
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
