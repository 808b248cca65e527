import PromoDaemon
import Testing

/// Setting and removing keys in a file that a person wrote.
struct ConfigurationEditTests {
    private static let url = "https://example.com/new.json"

    private func edited(_ text: String) throws -> String {
        try ConfigurationEdit.set("catalog.url", to: Self.url, in: text, path: "config.toml")
    }

    private func removed(_ text: String) throws -> String {
        try ConfigurationEdit.set("catalog.url", to: nil, in: text, path: "config.toml")
    }

    @Test func anEmptyFileGetsATable() throws {
        #expect(try edited("") == "[catalog]\nurl = \"\(Self.url)\"\n")
    }

    private static let changes: [(String, String)] = [
        // A value is replaced in its place, and the text around it is kept.
        ("[catalog]\nurl = \"https://a.example/\"\n", "[catalog]\nurl = \"NEW\"\n"),
        (
            "[catalog]\n  url='https://a.example/' # ours\nmax-bytes = 2048",
            "[catalog]\n  url= \"NEW\" # ours\nmax-bytes = 2048"
        ),
        ("catalog.url = \"https://a.example/#x\"  # ours\n", "catalog.url = \"NEW\"  # ours\n"),
        ("[ catalog ] # the list\nurl = \"https://a.example/\"", "[ catalog ] # the list\nurl = \"NEW\""),
        // A missing key is added to its table, and a missing table at the end.
        ("# mine\n[catalog]\nmax-bytes = 2048\n", "# mine\n[catalog]\nurl = \"NEW\"\nmax-bytes = 2048\n"),
        (
            "catalog.max-bytes = 2048\n[log]\nlevel = \"debug\"\n",
            "catalog.url = \"NEW\"\ncatalog.max-bytes = 2048\n[log]\nlevel = \"debug\"\n"
        ),
        ("[log]\nlevel = \"debug\"", "[log]\nlevel = \"debug\"\n\n[catalog]\nurl = \"NEW\"\n"),
        ("[log]\nlevel = \"debug\"\n", "[log]\nlevel = \"debug\"\n\n[catalog]\nurl = \"NEW\"\n"),
        ("[log]\r\n[catalog]\r\nmax-bytes = 2048\r\n", "[log]\r\n[catalog]\r\nurl = \"NEW\"\nmax-bytes = 2048\r\n"),
        ("# only a remark\n", "# only a remark\n\n[catalog]\nurl = \"NEW\"\n"),
    ]

    @Test(arguments: changes)
    func everythingElseStaysAsItWas(before: String, after: String) throws {
        #expect(try edited(before) == after.replacing("NEW", with: Self.url))
    }

    @Test(arguments: changes)
    func settingAKeyTwiceChangesNothingMore(before: String, after: String) throws {
        let once = try edited(before)
        #expect(try edited(once) == once)
    }

    @Test(arguments: ["[catalog]\nurl = [\n  \"https://a.example/\",\n]\n", "catalog.url = [\n]\n"])
    func aFileThatCannotBeEditedSafelyIsLeftAndReported(text: String) {
        let error = #expect(throws: ConfigurationProblem.self) { try edited(text) }
        #expect(error?.description.contains("catalog.url = \"\(Self.url)\"") == true)
    }

    @Test func aBrokenFileIsNotEdited() {
        let error = #expect(throws: ConfigurationProblem.self) { try edited("[catalog\nurl = 1\n") }
        #expect(error?.place == "config.toml:1")
    }

    // MARK: Removing

    @Test(arguments: [
        ("[catalog]\nurl = \"https://a.example/\"\n", ""),
        (
            "# mine\n[log]\nlevel = 'debug'\n\n[catalog]\nurl = 'https://a.example/' # ours\n",
            "# mine\n[log]\nlevel = 'debug'\n"
        ),
        ("[catalog]\nurl = \"https://a.example/\"\n\n[log]\nlevel = 'debug'\n", "[log]\nlevel = 'debug'\n"),
        ("[catalog] # b\nurl = \"https://a.example/\"\n", "[catalog] # b\n"),
        ("[catalog]\nmax-bytes = 2048\nurl = \"https://a.example/\"\n", "[catalog]\nmax-bytes = 2048\n"),
        ("catalog.url = \"https://a.example/\"\ncatalog.max-bytes = 2048\n", "catalog.max-bytes = 2048\n"),
        ("[log]\nlevel = 'debug'\n", "[log]\nlevel = 'debug'\n"), ("", ""),
    ])
    func aKeyIsTakenOutAndTheRestStays(before: String, after: String) throws {
        let text = try removed(before)
        #expect(text.trimmingEnd() == after.trimmingEnd())
        #expect(try removed(text) == text)
    }

    @Test func removingAKeyUndoesSettingIt() throws {
        for text in ["", "# mine\n", "[log]\nlevel = 'debug'\n"] {
            #expect(try removed(edited(text)).trimmingEnd() == text.trimmingEnd())
        }
    }

    @Test(arguments: ["[catalog]\nurl = [\n  \"https://a.example/\",\n]\n", "[catalog\n"])
    func aKeyThatCannotBeRemovedSafelyIsReported(text: String) throws {
        #expect(throws: ConfigurationProblem.self) { try removed(text) }
    }
}

extension String {
    fileprivate func trimmingEnd() -> Substring {
        var text = self[...]
        while text.last == "\n" { text.removeLast() }
        return text
    }
}
