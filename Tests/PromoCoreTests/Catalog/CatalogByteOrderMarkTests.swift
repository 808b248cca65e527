import PromoCore
import PromoWire
import Testing

/// One byte order mark before a catalog is forgiven, for hand-edited files have them.
struct CatalogByteOrderMarkTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test func aByteOrderMarkIsSeen() {
        #expect(AppCatalog.hasByteOrderMark(Fixture.catalog("valid/byte-order-mark")))
        #expect(!AppCatalog.hasByteOrderMark(Fixture.catalog("finepocket")))
        #expect(!AppCatalog.hasByteOrderMark([]))
        #expect(!AppCatalog.hasByteOrderMark([0xEF, 0xBB]))
    }

    @Test func aSecondOneIsNotForgiven() {
        guard case .json(let error) = catalogError(Self.mark + Self.mark + Fixture.catalog("finepocket")) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .byteOrderMark)
    }

    @Test func aByteOrderMarkAloneIsNoCatalog() {
        guard case .json(let error) = catalogError(Self.mark) else {
            Issue.record("It was read")
            return
        }
        #expect(error.problem == .empty)
    }

    @Test(arguments: ["", "{\"apps\":}", "[1,]", "{} x"])
    func behindOneTheOffsetIsThatOfTheFile(text: String) throws {
        guard case .json(let plain) = catalogError(Array(text.utf8)),
            case .json(let marked) = catalogError(Self.mark + Array(text.utf8))
        else {
            Issue.record("It was read")
            return
        }
        #expect(marked.problem == plain.problem)
        #expect(marked.offset == plain.offset + Self.mark.count)
    }

    @Test func theGenerationIsOfTheBytesAsTheyCame() {
        let bytes = Fixture.catalog("finepocket")
        #expect(CatalogDigest(of: Self.mark + bytes) != CatalogDigest(of: bytes))
    }
}
