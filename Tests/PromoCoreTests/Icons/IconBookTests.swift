import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// What the book of a catalog's pictures knows, and when a picture is due.
struct IconBookTests {
    private static let png = Pictures.png
    private static let address = "https://a.example/i.png"
    private static let day = Duration.hours(24)

    static func icon(_ more: Int = 0, at time: Timestamp = .start, etag: OutsideText? = nil) throws -> StoredIcon {
        let bytes = png + [UInt8](repeating: UInt8(more % 251), count: more)
        let url = try #require(HTTPSURL(address))
        return try StoredIcon(bytes, of: url, validators: Validators(etag: etag), fetchedAt: time)
    }

    private func isDue(_ book: IconBook, at now: Timestamp) -> Bool {
        book.isDue(Self.address, interval: Self.day, now: now)
    }

    @Test func aMissingPictureIsDueAndAFreshOneIsNot() throws {
        var book = IconBook()
        #expect(isDue(book, at: .start))
        book.enter(try Self.icon(), of: Self.address)
        #expect(!isDue(book, at: .start + Self.day - .seconds(1)))
        #expect(isDue(book, at: .start + Self.day))
    }

    @Test func aFailureIsTriedAgainAfterTheIntervalAndKeepsThePicture() throws {
        var book = IconBook()
        book.fail(Self.address, until: .start + Self.day)
        #expect(!isDue(book, at: .start + Self.day - .seconds(1)))
        #expect(isDue(book, at: .start + Self.day))
        book.enter(try Self.icon(), of: Self.address)
        book.fail(Self.address, until: .start + Self.day + Self.day)
        #expect(book[Self.address] == (try Self.icon()))
        #expect(!isDue(book, at: .start + Self.day + .hours(23)))
    }

    @Test func aPictureThatComesOrIsConfirmedEndsItsFailure() throws {
        var book = IconBook()
        book.enter(try Self.icon(at: .start), of: Self.address)
        book.fail(Self.address, until: .start + Self.day * 3 / 2)
        var confirmed = book
        confirmed.confirm(Self.address, Validators(), at: .start)
        book.enter(try Self.icon(1, at: .start), of: Self.address)
        for book in [book, confirmed] { #expect(isDue(book, at: .start + Self.day)) }
    }

    @Test func aTimeFromTheFutureIsNotBelieved() throws {
        var book = IconBook()
        book.enter(try Self.icon(at: .start + .hours(1)), of: Self.address)
        #expect(isDue(book, at: .start))
        book.fail(Self.address, until: .start + .hours(25))
        #expect(isDue(book, at: .start))
    }

    @Test func aConfirmedPictureIsFreshAndKeepsItsValidatorsUnlessThereAreNewOnes() throws {
        var book = IconBook()
        book.enter(try Self.icon(etag: "\"1\""), of: Self.address)
        book.confirm(Self.address, Validators(), at: .start + Self.day)
        #expect(!isDue(book, at: .start + Self.day + .hours(23)))
        #expect(book[Self.address]?.validators == Validators(etag: "\"1\""))
        book.confirm(Self.address, Validators(etag: "\"2\""), at: .start + Self.day)
        #expect(book[Self.address]?.validators == Validators(etag: "\"2\""))
    }

    @Test func theLimitOfACatalogIsKeptAndReplacingMakesRoom() throws {
        let url = try #require(HTTPSURL(Self.address))
        var book = IconBook()
        let large = try Self.icon(IconBook.maximumSize - Self.png.count)
        let count = IconBook.maximumTotal / IconBook.maximumSize
        for number in 0..<count {
            try book.checkRoom(for: large, of: "https://a.example/\(number)", at: url)
            book.enter(large, of: "https://a.example/\(number)")
        }
        #expect(throws: Failure.self) { try book.checkRoom(for: Self.icon(), of: "https://a.example/more", at: url) }
        try book.checkRoom(for: large, of: "https://a.example/0", at: url)
        book.forget("https://a.example/0")
        try book.checkRoom(for: large, of: "https://a.example/more", at: url)
        #expect(throws: Failure.self) {
            try IconBook().checkRoom(for: Self.icon(IconBook.maximumSize), of: Self.address, at: url)
        }
    }

    /// Each may have two validators of a kilobyte of quotes, which take twice that in the file.
    @Test func theNumberOfPicturesIsLimitedTooSoThatTheBookCanBeReadAgain() throws {
        let url = try #require(HTTPSURL(Self.address))
        var book = IconBook()
        let validator = OutsideText(String(repeating: "\"", count: Validators.maximumLength))
        var icon = try Self.icon()
        icon.validators = Validators(etag: validator, lastModified: validator)
        for number in 0..<IconBook.maximumCount {
            try book.checkRoom(for: icon, of: "https://a.example/\(number)", at: url)
            book.enter(icon, of: "https://a.example/\(number)")
        }
        #expect(throws: Failure.self) { try book.checkRoom(for: icon, of: "https://a.example/more", at: url) }
        try book.checkRoom(for: icon, of: "https://a.example/0", at: url)
        #expect(book.fileBytes.count < 8 << 20)
    }

    @Test func onlyNamedAddressesAreKept() throws {
        var book = IconBook()
        book.enter(try Self.icon(1), of: "https://a.example/1")
        book.enter(try Self.icon(2), of: "https://a.example/2")
        book.fail("https://a.example/3", until: .start + Self.day)
        book.keep(only: ["https://a.example/2"])
        #expect(book.fileNames == [try Self.icon(2).fileName])
        #expect(book.isDue("https://a.example/3", interval: Self.day, now: .start))
    }

    @Test func aBookIsReadAsItWasWritten() throws {
        var book = IconBook()
        for number in 0..<20 {
            let icon = try Self.icon(
                number, at: .start + .seconds(number), etag: number % 2 == 0 ? "\"\(number)\"" : nil)
            book.enter(icon, of: "https://a.example/\(number)?q=\"\\")
            book.enter(icon, of: "https://a.example/\(number)")
            book.fail(Self.address, until: .start + Self.day)
            book.fail("https://a.example/\(number)", until: .start + .seconds(number))
        }
        let read = try #require(IconBook(fileBytes: book.fileBytes))
        #expect(read.fileNames == book.fileNames && !isDue(read, at: .start))
        #expect(IconBook(fileBytes: read.fileBytes) == read)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"format":2,"icons":{}}"#, #"{"format":2,"icons":["#,
        // Its pictures may not be whole.
        #"{"format":1,"icons":[],"failures":[]}"#,
    ])
    func whatIsNoBookIsNotRead(text: String) {
        #expect(IconBook(fileBytes: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        #""digest":"../../etc/passwd","format":"png","size":9,"fetchedAt":"2026-11-21T01:09:00Z""#,
        #""digest":"0123456789abcdef0123456789abcdeF","format":"png","size":9,"fetchedAt":"2026-11-21T01:09:00Z""#,
        #""digest":"0123456789abcdef0123456789abcdef","format":"svg","size":9,"fetchedAt":"2026-11-21T01:09:00Z""#,
        #""digest":"0123456789abcdef0123456789abcdef","format":"png","size":-9,"fetchedAt":"2026-11-21T01:09:00Z""#,
        #""digest":"0123456789abcdef0123456789abcdef","format":"png","size":524289,"fetchedAt":"2026-11-21T01:09:00Z""#,
        #""digest":"0123456789abcdef0123456789abcdef","format":"png","size":9"#,
    ])
    func anEntryThatIsNotValidIsLeftOut(members: String) throws {
        let text = #"{"format":2,"icons":[{"url":"https://a.example/i",\#(members)}],"failures":[{"url":1},2]}"#
        #expect(try #require(IconBook(fileBytes: Array(text.utf8))).isEmpty)
    }
}
