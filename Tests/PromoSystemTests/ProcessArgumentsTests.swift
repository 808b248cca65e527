import PromoSystem
import Testing

struct ProcessArgumentsTests {
    @Test(arguments: [
        "https://me:secret@h", "https://me:sec/ret@h", "https://me:sec ret@h", "https://me:sec'ret@h",
        "https:/me:secret@h",
        "me:secret@h", "a,https://b.c,https://me:secret@h", "me@sec.ret@h", "https://me:secret@", "secret@h",
    ])
    func whatStandsBeforeTheAtSignIsNotRepeated(argument: String) {
        for arguments in [[argument], ["--url=\(argument)"], ["validate", "@", argument, "--json"]] {
            for quoted in [argument] + arguments {
                let shown = ProcessArguments.withoutCredentials("Unexpected argument '\(quoted)'", of: arguments)
                #expect(!shown.contains("ret"), "\(shown)")
                #expect(shown.hasPrefix("Unexpected argument '"))
                #expect(shown.hasSuffix("'"))
            }
        }
    }

    @Test(arguments: ["", "Unknown option '--nonsense'", "Unexpected argument 'https://example.com'"])
    func anythingElseStays(message: String) {
        #expect(
            ProcessArguments.withoutCredentials(message, of: ["--nonsense", "https://example.com", "@", ""]) == message)
    }
}
