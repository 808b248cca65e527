@testable import PromoDaemon
import PromoWire
import Testing

/// The part of TOML 1.0 that promod reads; the tests name its sections.
@Suite struct TOMLReaderTests {
    private func entries(_ text: String) throws -> [String] {
        try TOMLReader.entries(of: Array(text.utf8)).map { "\($0.name) \($0.value) \($0.line)" }
    }

    private func value(_ text: String) throws -> ConfigurationValue? {
        try TOMLReader.entries(of: Array("k = \(text)".utf8)).first?.value
    }

    /// "String".
    @Test(arguments: [
        (#""a\tb\n\"\\\u00e9\U0001F600""#, "a\tb\n\"\\é😀"), (#"'C:\path "x"'"#, #"C:\path "x""#), (#""""#, ""),
        ("''", ""), ("\"caf\u{e9}\"", "caf\u{e9}"),
    ])
    func aString(text: String, string: String) throws {
        #expect(try value(text) == .string(OutsideText(string)))
    }

    /// "Integer".
    @Test(arguments: [
        ("0", 0), ("+0", 0), ("-0", 0), ("42", 42), ("-17", -17), ("1_000", 1000), ("9223372036854775807", .max),
        ("-9223372036854775808", .min),
    ])
    func anInteger(text: String, number: Int) throws {
        #expect(try value(text) == .integer(number))
    }

    /// "Float", "Offset Date-Time" and what follows it, and integers that are not decimal: no key takes any of these.
    @Test(arguments: [
        "1.5", "-1e3", "+nan", "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27", "1979-05-27Tle", "24h", "01", "1__0",
        "1_", "0x", "+0x1", "0xDEAD_beef", "0o755", "0b1101", "9223372036854775808", "[1, 2]", "[\"a\", 1]",
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
            a.b . d = 1
            3-x_ = 2
            [t] # a comment
            [t.u.v]
            [ e . f ]
            i = 3
            j.k = 4

            """
        #expect(
            try entries(text) == [
                "a.b.d integer(1) 1", "3-x_ integer(2) 2", "t.u.v table 4", "e.f.i integer(3) 6",
                "e.f.j.k integer(4) 7",
            ])
    }

    /// "Table": a table may be defined after its own subtable, and a subtable of one that dotted keys define.
    @Test(arguments: [
        "[a.b]\n[a]\nx = 1", "a.b = 1\na.c = 2", "[f]\na.c = 1\n[f.a.t]\nx = 1", "", "\r\n#\r\n",
    ])
    func aTextThatDefinesEachNameOnce(text: String) {
        #expect(throws: Never.self) { try entries(text) }
    }

    @Test(arguments: [
        "a = 1\na = 2", "a = 1\na.b = 2", "[a]\n[a]", "a = 1\n[a]", "a = 1\n[a.b]", "[a.b]\n[a]\nb = 1",
        "[a.b]\n[a]\nb.c = 1", "a.b = 1\n[a]", "[f]\na.c = 1\n[f.a]", "a.b = 1\n[a.b]",
    ])
    func aNameThatIsDefinedTwiceIsRefused(text: String) {
        let problem = #expect(throws: TOMLProblem.self) { try entries(text) }
        #expect(problem?.message.hasSuffix(" is defined twice") == true)
    }

    @Test(arguments: [
        ("k = { a = 1 }", "a table in braces", 5), ("k = {}", "a table in braces", 5),
        ("k = [{ a = 1 }]", "a table in braces", 6), ("[[k]]", "a list of tables", 1),
        ("k = [['a']]", "a list in a list", 6), ("k = \"\"\"a\"\"\"", "a string of several lines", 5),
        ("k = '''a'''", "a string of several lines", 5), ("\"k\" = 1", "a key in quotes", 1),
        ("['k']", "a key in quotes", 2), ("a.'k' = 1", "a key in quotes", 3),
    ])
    func whatElseTOMLHasIsRefusedByName(text: String, name: String, column: Int) {
        let problem = #expect(throws: TOMLProblem.self) { try entries(text) }
        #expect(problem?.line == 1 && problem?.column == column)
        #expect(
            problem?.message == "this is \(name), which promod does not read (promod.toml(5) says what it reads)")
    }

    @Test(arguments: [
        ("k", "an equals sign is missing after the key", 2), ("k =", "a value is missing", 4),
        ("k = 1 l = 2", "the line has to end here", 7), ("k = https://a.b/", "a text needs quotes", 5),
        ("k = inf", "a text needs quotes", 5), ("k = 'a", "the string has no closing quote", 7),
        ("k = 'a\n'", "the string has no closing quote", 7),
        ("k = [1,\n\n", "the list that begins here has no closing bracket", 5),
        ("k = [1 2]", "a comma or a closing bracket is missing in the list", 8),
        ("[a", "a closing bracket is missing after the table's name", 3),
        ("= 1", "a key or a table's name is missing", 1), ("a. = 1", "a key or a table's name is missing", 4),
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
