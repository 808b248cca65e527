import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// What the book of a catalog's pictures knows.
struct IconBookTests {
    private static let png = Pictures.png
    private static let address = "https://a.example/i.png"

    static func icon(_ more: Int = 0, etag: OutsideText? = nil) throws -> StoredIcon {
        let bytes = png + [UInt8](repeating: UInt8(more % 251), count: more)
        return try StoredIcon(bytes, of: try #require(HTTPSURL(address)), validators: Validators(etag: etag))
    }

    @Test func aMissingPictureHasRoomOnlyForAnyAndAKeptOneForWhatIsLeft() throws {
        var book = IconBook()
        let large = try Self.icon(IconBook.maximumSize - Self.png.count)
        for number in 0..<IconBook.maximumTotal / IconBook.maximumSize {
            #expect(book.room(for: "https://a.example/\(number)") == IconBook.maximumSize)
            book["https://a.example/\(number)"] = large
        }
        #expect(book.room(for: Self.address) == nil)
        #expect(book.room(for: "https://a.example/0") == IconBook.maximumSize)
        book["https://a.example/0"] = try Self.icon()
        #expect(book.room(for: Self.address) == nil)
        book["https://a.example/1"] = nil
        #expect(book.room(for: Self.address) == IconBook.maximumSize)
        book[Self.address] = large
        #expect(book.room(for: "https://a.example/0") == IconBook.maximumSize)
        book["https://a.example/1"] = try Self.icon()
        #expect(book.room(for: "https://a.example/0") == IconBook.maximumSize - Self.png.count)
    }

    /// Each may have two validators of a kilobyte of quotes, which take twice that in the file.
    @Test func aBookOfAsManyPicturesAsAreKeptCanBeReadAgain() throws {
        var book = IconBook()
        let validator = OutsideText(String(repeating: "\"", count: Validators.maximumLength))
        var icon = try Self.icon()
        icon.validators = Validators(etag: validator, lastModified: validator)
        for number in 0...IconBook.maximumCount { book["https://a.example/\(number)"] = icon }
        #expect(book.fileBytes.count < 8 << 20)
        #expect(IconBook(fileBytes: book.fileBytes)?.icons.count == IconBook.maximumCount)
    }

    @Test func onlyThePicturesThatPassACheckAreKept() throws {
        var book = IconBook()
        book["https://a.example/1"] = try Self.icon(1)
        book["https://a.example/2"] = try Self.icon(2)
        let isOther = [book.keep { url, _ in url == "https://a.example/2" }, book.keep { _, _ in true }]
        #expect(isOther == [true, false])
        #expect(book.fileNames == [try Self.icon(2).fileName])
    }

    @Test func aBookIsReadAsItWasWritten() throws {
        let host = try #require(HTTPSURL(Self.address))
        var book = IconBook()
        for number in 0..<20 {
            let icon = try Self.icon(number, etag: number % 2 == 0 ? "\"\(number)\"" : nil)
            book["https://a.example/\(number)?q=\"\\"] = icon
            book["https://a.example/\(number)"] = icon
        }
        _ = book.schedule.asked(now: .start) { false }
        book.schedule.rest(host, for: .hours(5), now: .start)
        let read = try #require(IconBook(fileBytes: book.fileBytes))
        #expect(read.fileNames == book.fileNames)
        #expect(read.schedule.isAsked)
        #expect(read.schedule.isResting(host, now: .start + .hours(5) - .seconds(1)))
        #expect(!read.schedule.isResting(host, now: .start + .hours(5)))
        #expect(IconBook(fileBytes: read.fileBytes) == read)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"format":3,"icons":{}}"#, #"{"format":3,"icons":["#, #"{"format":2,"icons":[]}"#,
    ])
    func whatIsNoBookIsNotRead(text: String) {
        #expect(IconBook(fileBytes: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        #""file":"../../etc/passwd","size":9"#, #""file":"0123456789abcdef0123456789abcdeF.png","size":9"#,
        #""file":"0123456789abcdef0123456789abcdef.svg","size":9"#,
        #""file":"0123456789abcdef0123456789abcdef.png","size":-9"#,
        "\"file\":\"0123456789abcdef0123456789abcdef.png\",\"size\":\(IconBook.maximumSize + 1)",
        #""file":"0123456789abcdef0123456789abcdef.png""#, #""size":9"#,
    ])
    func anEntryThatIsNotValidIsLeftOut(members: String) throws {
        let text = #"{"format":3,"rests":[1],"icons":[{"url":"https://a.example/i",\#(members)},{"url":1},2]}"#
        #expect(try #require(IconBook(fileBytes: Array(text.utf8))).icons.isEmpty)
    }
}
