import PromoCore
import PromoWire
import Testing

/// One byte order mark before a catalog is skipped, because files that were edited by hand may have one.
struct CatalogByteOrderMarkTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test func aByteOrderMarkCausesAWarning() throws {
        let warning = try #require(try CatalogText(Fixture.catalog("valid/byte-order-mark")).warnings.first)
        #expect(warning.message.contains("byte order mark"))
        #expect(warning.pointer == "")
        #expect(warning.position == TextPosition(line: 1, column: 1))
    }

    @Test func theMarkDoesNotCountAsAColumn() throws {
        let text = Array(catalog([app("a", ["name": "1"])]).utf8)
        guard case .schema(let plain) = catalogError(text), case .schema(let marked) = catalogError(Self.mark + text)
        else {
            Issue.record("It was read")
            return
        }
        #expect(marked == plain)
    }

    @Test func aSecondMarkIsRefused() {
        guard case .json(let error, _) = catalogError(Self.mark + Self.mark + Fixture.catalog("finepocket")) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .byteOrderMark)
    }

    @Test func aByteOrderMarkAloneIsNotACatalog() {
        guard case .json(let error, _) = catalogError(Self.mark) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .empty)
    }

    @Test(arguments: ["", "{\"apps\":}", "[1,]", "{} x"])
    func afterAMarkOffsetsAreThoseOfTheFile(text: String) throws {
        guard case .json(let plain, let position) = catalogError(Array(text.utf8)),
            case .json(let marked, let markedPosition) = catalogError(Self.mark + Array(text.utf8))
        else {
            Issue.record("It was read")
            return
        }
        #expect(marked.problem == plain.problem)
        #expect(marked.offset == plain.offset + Self.mark.count)
        #expect(markedPosition == position)
    }

    @Test func theGenerationIsOfTheBytesAsTheyCame() {
        let bytes = Fixture.catalog("finepocket")
        #expect(CatalogDigest(of: Self.mark + bytes) != CatalogDigest(of: bytes))
    }
}
