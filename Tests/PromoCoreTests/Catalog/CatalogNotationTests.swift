import PromoCore
import PromoWire
import Testing

/// Text that is not strict JSON is refused with its place, and the commonest mistakes are named as what they are.
struct CatalogNotationTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func refusal(_ bytes: [UInt8]) throws -> (error: JSONError, at: TextPosition, CommonMistake?) {
        guard case .json(let error, let position, let mistake) = catalogError(bytes) else {
            throw TestIssue.isCatalog
        }
        return (error, position, mistake)
    }

    private enum TestIssue: Error { case isCatalog }

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
            #expect(found.2 == mistake && found.at.description == position, "\(found)")
            let failure = try #require(catalogError(bytes)).failure
            #expect(failure.code == .json && failure.message.contains("not strict JSON"))
            #expect(mistake.map { failure.message.contains($0.rawValue) } ?? true)
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

    @Test(arguments: [
        "<!DOCTYPE html>", "\n <html lang=\"en\"><p>502", "<?xml version=\"1.0\"?>\n<!doctype HTML PUBLIC \"x\">",
        "\u{FEFF}<!-- hotel --><HEAD>",
    ])
    func anHTMLPageIsRecognisedInAnyEncoding(text: String) throws {
        #expect(catalogError(Array(text.utf8) + [0xE9]) == .markup(.html))
        let failure = CatalogError.markup(.html).failure
        #expect(failure.code == .json && failure.message.contains("an HTML page"))
    }

    @Test(arguments: [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code></Error>",
        "<Error><Code>NoSuchKey</Code></Error>",
    ])
    func theErrorOfAnObjectStoreIsRecognised(text: String) throws {
        #expect(catalogError(Array(text.utf8)) == .markup(.xml))
        #expect(CatalogError.markup(.xml).failure.message.contains("the error of an object store"))
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
