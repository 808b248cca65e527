@testable import PromoDaemon
import PromoWire
import Testing

/// The part of TOML 1.0 that promod reads; the tests name its sections.
@Suite struct ConfigurationFileTests {
    private func entries(_ text: String) throws -> [String] {
        try ConfigurationFile(Array(text.utf8), path: "f").entries.map { "\($0.name) \($0.value) \($0.line)" }
    }

    private func value(_ text: String) throws -> ConfigurationValue? {
        try ConfigurationFile(Array("k = \(text)".utf8), path: "f").entries.first?.value
    }

    /// "String".
    @Test(arguments: [
        (#""a\tb\n\"\\""#, "a\tb\n\"\\"), (#"'C:\path "x"'"#, #"C:\path "x""#), (#""""#, ""), ("''", ""),
        ("\"caf\u{e9}\"", "caf\u{e9}"),
    ])
    func aString(text: String, string: String) throws {
        #expect(try value(text) == .string(OutsideText(string)))
    }

    /// "Integer", and the types of which no key takes values.
    @Test(arguments: [
        ("0", 0), ("+0", 0), ("42", 42), ("-17", -17), ("9223372036854775808", nil), ("1.5", nil), ("0x1F", nil),
        ("1979-05-27T07:32:00Z", nil), ("true", nil), ("24h", nil),
    ])
    func aWord(text: String, number: Int?) throws {
        #expect(try value(text) == .word(text))
        #expect(try value(text)?.integer == number)
    }

    /// "Array".
    @Test func listsOfStrings() throws {
        #expect(try value("[]") == .list([]))
        #expect(try value("[\n  'a', # one\n\n \"b\"\n  ,\n]\r\n") == .list(["a", "b"]))
    }

    /// "Keys" and "Table".
    @Test func keysAndTables() throws {
        let text = """
            a.b.d = 1
            3-x_ = 2
            [t] # a comment
            [ e.f ]
            i = 3
            j.k = 4

            """
        #expect(
            try entries(text)
                == ["a.b.d", "3-x_", "e.f.i", "e.f.j.k"].enumerated().map {
                    "\($1) word(\"\($0 + 1)\") \([1, 2, 5, 6][$0])"
                })
    }

    @Test(arguments: [
        ("a = 1\na = 2", "a is defined twice"), ("a.b = 1\n[a]\nb = 1", "a.b is defined twice"),
        ("k", "an equals sign is missing after the key"), ("k =", "a value is missing"),
        ("k = { a = 1 }", "a value is missing"), ("[[k]]", "a key or a table's name is missing"),
        ("\"k\" = 1", "a key or a table's name is missing"), ("k = '''a'''", "the line has to end here"),
        ("k = [['a']]", "a list holds texts in quotes"), ("k = [1]", "a list holds texts in quotes"),
        ("k = 1 l = 2", "the line has to end here"), ("k = 1\rl = 2", "a carriage return without a line feed"),
        ("# all\rk = 1\r", "a carriage return without a line feed"),
        ("k = https://a.b/", "a text needs quotes"), ("k = 'a", "the string has no closing quote"),
        ("k = 'a\n'", "the string has no closing quote"), ("k = ['a',\n\n", "the list has no closing bracket"),
        ("k = ['a' 'b']", "a comma or a closing bracket is missing in the list"),
        ("[a", "a closing bracket is missing after the table's name"),
        ("k = \"\\x41\"", "a backslash needs one of b t n f r \" \\ after it, or the text single quotes"),
    ])
    func whatItDoesNotReadIsRefused(text: String, message: String) {
        let problem = #expect(throws: ConfigurationProblem.self) { try entries(text) }
        #expect(problem?.message == message && problem?.place.hasPrefix("f:") == true)
    }
}
