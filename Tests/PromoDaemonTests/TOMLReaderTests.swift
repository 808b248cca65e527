@testable import PromoDaemon
import PromoWire
import Testing

/// TOML 1.0, whose sections the tests name.
@Suite struct TOMLReaderTests {
    private func entries(_ text: String) throws -> [String] {
        try TOMLReader.entries(of: Array(text.utf8)).map { "\($0.path.map(\.text)) \($0.value) \($0.line)" }
    }

    private func value(_ text: String) throws -> ConfigurationValue? {
        try TOMLReader.entries(of: Array("k = \(text)".utf8)).first?.value
    }

    /// "String".
    @Test(arguments: [
        (#""a\tb\n\"\\\u00e9\U0001F600""#, "a\tb\n\"\\é😀"), (#"'C:\path "x"'"#, #"C:\path "x""#), (#""""#, ""),
        ("''", ""),
        ("\"\"\"\na\r\nb\"\"\"", "a\nb"), ("'''\n\na\\\n'''", "\na\\\n"), ("\"\"\"a \\  \n\n   b\"\"\"", "a b"),
        (#""""""x""""""#, #"""x"""#), ("''''x''''", "'x'"), ("\"caf\u{e9}\"", "caf\u{e9}"),
    ])
    func aString(text: String, string: String) throws {
        #expect(try value(text) == .string(OutsideText(string)))
    }

    /// "Integer".
    @Test(arguments: [
        ("0", 0), ("+0", 0), ("-0", 0), ("42", 42), ("-17", -17), ("1_000", 1000), ("0xDEAD_beef", 0xDEAD_BEEF),
        ("0o755", 0o755), ("0b1101", 13), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ])
    func anInteger(text: String, number: Int) throws {
        #expect(try value(text) == .integer(number))
    }

    /// "Float", "Offset Date-Time" and what follows it: no key takes any of these.
    @Test(arguments: [
        "1.5", "-1e3", "inf", "+nan", "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27", "1979-05-27Tle", "24h", "01",
        "1__0",
        "1_", "0x", "+0x1", "[1, 2]", "[\"a\", 1]", "[{a = 1}]",
    ])
    func aValueThatNoKeyTakes(text: String) throws {
        #expect(try value(text) == .other)
    }

    /// "Boolean" and "Array".
    @Test func booleansAndListsOfStrings() throws {
        #expect(try value("true") == .boolean(true))
        #expect(try value("false # no") == .boolean(false))
        #expect(try value("[]") == .list([]))
        #expect(try value("[\n  'a', # one\n\n \"b\"\n  ,\n]") == .list(["a", "b"]))
    }

    /// "Keys" and "Table".
    @Test func keysAndTables() throws {
        let text = """
            a.'b c' . "d" = 1
            3-x_ = 2
            [t] # a comment
            [t.u.v]
            [e]
            i = { x.y = 1, z = {} }
            [[l]]
            k = 1
            [l.m]
            k = 1
            [[l]]
            k = 2

            """
        #expect(
            try entries(text) == [
                #"["a", "b c", "d"] integer(1) 1"#, #"["3-x_"] integer(2) 2"#, #"["t", "u", "v"] table 4"#,
                #"["e", "i", "x", "y"] integer(1) 6"#, #"["e", "i", "z"] table 6"#, #"["l"] other 7"#,
                #"["l"] other 11"#,
            ])
    }

    /// "Table": a table may be defined after its own subtable, and a subtable of one that dotted keys define.
    @Test(arguments: [
        "[a.b]\n[a]\nx = 1", "a.b = 1\na.c = 2", "[f]\na.c = 1\n[f.a.t]\nx = 1", "[[a]]\n[a.b]\n[[a]]\n[a.b]", "",
        "\r\n#\r\n",
    ])
    func aTextThatDefinesEachNameOnce(text: String) {
        #expect(throws: Never.self) { try entries(text) }
    }

    @Test(arguments: [
        "a = 1\na = 2", "a = 1\n\"a\" = 2", "a = 1\na.b = 2", "[a]\n[a]", "a = 1\n[a]", "a = {}\n[a.b]",
        "a = {b = 1}\na.c = 2",
        "[a.b]\n[a]\nb = 1", "[a.b]\n[a]\nb.c = 1", "a.b = 1\n[a]", "[[a]]\n[a]", "[a]\n[[a]]", "a = []\n[[a]]",
        "k = {a = 1, a = 2}",
        "k = {a.b = 1, a = 2}", "[f]\na.c = 1\n[f.a]",
    ])
    func aNameThatIsDefinedTwiceIsRefused(text: String) {
        let problem = #expect(throws: TOMLProblem.self) { try entries(text) }
        #expect(problem?.message.hasSuffix(" is defined twice") == true)
    }

    @Test(arguments: [
        ("k", "an equals sign is missing after the key", 2), ("k =", "a value is missing", 4),
        ("k = 1 l = 2", "the line has to end here", 7), ("k = https://a.b/", "a text needs quotes", 5),
        ("k = 'a", "the string has no closing quote", 7), ("k = 'a\n'", "the string has no closing quote", 7),
        ("k = \"\"\"a\n", "the string that begins here has no closing quotes", 8),
        ("k = [1,\n\n", "the list that begins here has no closing bracket", 5),
        ("k = [1 2]", "a comma or a closing bracket is missing in the list", 8),
        ("k = {a = 1", "a comma or a closing brace is missing in the table", 11),
        ("k = {a = 1,}", "a key or a table's name is missing", 12),
        ("k = {\na = 1}", "a key or a table's name is missing", 6),
        ("[a", "a closing bracket is missing after the table's name", 3),
        ("[[a]", "a closing bracket is missing after the table's name", 4),
        ("= 1", "a key or a table's name is missing", 1), ("a. = 1", "a key or a table's name is missing", 4),
        ("\"\"\"a\"\"\" = 1", "a key is not longer than a line", 1),
        ("k = 9223372036854775808", "the number is too large", 5),
        ("k = \"\\ud800\"", "this is not the number of a character", 8), ("k = \"\\x41\"", "", 8),
        ("k = 'a\u{1}'", "a control character, which has to be written as an escape", 7), ("# \u{7f}", "", 3),
        ("k = 1\rl = 2", "", 6),
    ])
    func aTextThatIsNotTOMLIsRefusedWithTheColumn(text: String, message: String, column: Int) {
        let problem = #expect(throws: TOMLProblem.self) { try entries(text) }
        #expect(problem?.line == 1 && problem?.column == column)
        #expect(message.isEmpty || problem?.message == message)
    }
}
