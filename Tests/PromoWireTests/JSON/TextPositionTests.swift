import PromoWire
import Testing

/// Lines and columns as editors count them.
struct TextPositionTests {
    private static func position(_ offset: Int, _ text: String) -> String {
        "\(TextPosition(of: offset, in: Array(text.utf8)))"
    }

    @Test func theFirstByteIsLine1Column1() {
        #expect(Self.position(0, "{}") == "1:1")
        #expect(Self.position(0, "") == "1:1")
    }

    @Test func aLineFeedEndsALine() {
        #expect(["a\nb", "\n\n", "a\r\nb"].map { Self.position($0.utf8.count, $0) } == ["2:2", "3:1", "2:2"])
        #expect(Self.position(1, "a\nb") == "1:2")
    }

    @Test func aColumnIsAUnicodeScalar() {
        #expect(Self.position(6, "한글x") == "1:3")
        #expect(Self.position(3, "e\u{301}x") == "1:3")
        #expect(Self.position(4, "\u{1F600}x") == "1:2")
    }

    @Test func anOffsetBehindTheTextIsItsEnd() {
        #expect(Self.position(100, "a\nbc") == "2:3")
    }

    @Test func offsetsMayComeInAnyOrderAndRepeat() throws {
        let document = try JSONDocument(Array("[1,\n 2,\n 3]".utf8), maximumDepth: 2)
        let offsets = document.root.elements.map(\.offset)
        #expect(offsets == [1, 5, 9])
        let positions = document.positions(of: [offsets[2], 0, offsets[1], offsets[1], offsets[0]])
        #expect(positions.map(\.description) == ["3:2", "1:1", "2:2", "2:2", "1:2"])
        #expect(document.positions(of: []) == [])
    }

    @Test func aValueBeginsAtItsFirstByte() throws {
        let document = try JSONDocument(Array(#" {"a" : "b\n"} "#.utf8), maximumDepth: 2)
        #expect(document.root.offset == 1)
        #expect(document.root["a"]?.offset == 8)
        #expect(document.root.members.map(\.name.offset) == [2])
    }
}
