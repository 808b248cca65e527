import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Text that is not strict JSON is refused with its place, and the commonest mistakes are named as what they are.
struct CatalogNotationTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func refusal(_ bytes: [UInt8]) throws -> (error: JSONError, at: TextPosition, CommonMistake?) {
        guard case .json(let error, let position, let mistake) = catalogError(bytes) else {
            throw TestFailure("it is a catalog")
        }
        return (error, position, mistake)
    }

    private static let mistakes: [(text: String, mistake: CommonMistake?, position: String)] = [
        ("{\n  // apps\n}", .comment, "2:3"), ("{\"apps\":[], /* none */\n}", .comment, "1:13"),
        ("# x\n{}", .comment, "1:1"), ("{\"apps\":[]} // end", .comment, "1:13"), ("{“apps”:[]}", .curlyQuote, "1:2"),
        ("{\"apps\":[‘a’]}", .curlyQuote, "1:10"), ("{\"apps\":['a']}", .singleQuote, "1:10"),
        ("{\"apps\":[],}", .trailingComma, "1:11"), ("{\"apps\":[,]}", nil, "1:10"), ("{\"apps\":/x}", nil, "1:9"),
        ("{\"a\":\"// 'x' “y” # ,\"", nil, "1:22"), ("", nil, "1:1"),
    ]

    @Test(arguments: mistakes)
    func aCommonMistakeIsNamedAsWhatItIs(text: String, mistake: CommonMistake?, position: String) throws {
        for bytes in [Array(text.utf8), Self.mark + Array(text.utf8)] {
            let found = try Self.refusal(bytes)
            #expect(found.2 == mistake)
            #expect(found.at.description == position)
            let failure = try #require(catalogError(bytes)).failure
            #expect(failure.code == .json)
            for words in ["not strict JSON", mistake?.rawValue ?? ""] { #expect(failure.message.contains(words)) }
        }
    }

    @Test(arguments: ["<!DOCTYPE html>", "{\"apps\":[]}", ""])
    func utf16AndUTF32AreNamedWithAndWithoutTheirMarks(text: String) throws {
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let wide = text.utf8.flatMap { [0, 0, 0, $0] as [UInt8] }
        let marked: [[UInt8]] = [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, [0, 0, 0xFE, 0xFF] + wide]
        for bytes in marked + (text.isEmpty ? [] : [little, big, wide, wide.dropFirst(3) + [0, 0, 0]]) {
            #expect(try Self.refusal(bytes).2 == .wideUnits)
        }
        #expect(try Self.refusal([0x1F, 0x8B, 8, 0]).2 == .gzip)
    }

    private static let html = (CatalogError.markup(.html), "an HTML page")
    private static let xml = (CatalogError.markup(.xml), "the error of an object store")

    @Test(arguments: [
        ("<!DOCTYPE html>", html), ("\n <html lang=\"en\"><p>502", html), ("\u{FEFF}<!-- hotel --><HEAD>", html),
        ("<?xml version=\"1.0\"?>\n<!doctype HTML PUBLIC \"x\">", html),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code></Error>", xml),
        ("<Error><Code>NoSuchKey</Code></Error>", xml),
    ])
    func aPageAndTheErrorOfAnObjectStoreAreRecognisedInAnyEncoding(text: String, markup: (CatalogError, String)) throws
    {
        let error = try #require(catalogError(Array(text.utf8) + [0xE9]))
        #expect(error == markup.0)
        #expect(error.failure.code == .json)
        #expect(error.failure.message.contains(markup.1))
    }

    @Test(arguments: ["<catalog/>", "<", "html", "{\"<html>\"}", "[\"<html>\"", "{\"<?xml\"}"])
    func otherTextIsNotTakenForMarkup(text: String) throws {
        #expect(throws: Never.self) { try Self.refusal(Array(text.utf8)) }
    }

    /// Places are counted after the mark.
    @Test func aMarkIsAllowedOnceAndCountsInTheGenerationAlone() throws {
        let text = Array(catalog([app("a", ["name": "1"])]).utf8)
        #expect(catalogError(Self.mark + text) == catalogError(text))
        #expect(Digest(of: Self.mark + text) != Digest(of: text))
        #expect(try Self.refusal(Self.mark + Self.mark + text).error.problem == .byteOrderMark)
        let (plain, marked) = (try Self.refusal(Array("[1,]".utf8)), try Self.refusal(Self.mark + Array("[1,]".utf8)))
        #expect(marked.error == plain.error)
        #expect(marked.at == plain.at)
    }
}
