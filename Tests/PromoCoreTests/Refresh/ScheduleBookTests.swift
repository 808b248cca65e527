import PromoCore
import PromoWire
import Testing

struct ScheduleBookTests {
    private func schedule(attempt: Int) -> RefreshSchedule {
        var schedule = RefreshSchedule()
        schedule.attempt = attempt
        schedule.retryAfter = .start + .hours(1)
        return schedule
    }

    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    @Test func anUnknownOriginHasANewSchedule() {
        #expect(ScheduleBook().schedule(of: url(1)) == RefreshSchedule())
    }

    @Test func eachOriginFindsItsOwn() {
        var book = ScheduleBook()
        for number in 1...8 { book.keep(schedule(attempt: number), of: url(number)) }
        book.keep(schedule(attempt: 30), of: url(3))
        for number in 1...8 { #expect(book.schedule(of: url(number)).attempt == (number == 3 ? 30 : number)) }
        #expect(book.schedules.first?.attempt == 30)
    }

    @Test func theLeastRecentlyUsedScheduleIsDropped() {
        var book = ScheduleBook()
        for number in 1...8 { book.keep(schedule(attempt: number), of: url(number)) }
        book.keep(schedule(attempt: 1), of: url(1))
        book.keep(schedule(attempt: 9), of: url(9))
        #expect(book.schedules.count == ScheduleBook.capacity)
        #expect(book.schedule(of: url(2)) == RefreshSchedule())
        #expect(book.schedule(of: url(1)).attempt == 1)
    }

    @Test(arguments: 0...8)
    func itsFileIsOneLineAndComesBack(count: Int) throws {
        var book = ScheduleBook()
        for number in 0..<count { book.keep(schedule(attempt: number), of: url(number)) }
        let bytes = book.fileBytes
        #expect(bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1)
        #expect(ScheduleBook(fileBytes: bytes) == book)
    }

    @Test func theLongestBookFitsTheFilesLimit() throws {
        var book = ScheduleBook()
        for number in 0..<ScheduleBook.capacity {
            var schedule = schedule(attempt: number)
            schedule.lastError = Failure(.redirect, String(repeating: "\u{10000}\"", count: 2000))
            let path = String(repeating: "a", count: HTTPSURL.maximumLength - 40)
            book.keep(schedule, of: try #require(HTTPSURL("https://example.com/\(path)\(number)")).normalized)
        }
        #expect(book.fileBytes.count < 256 * 1024)
        #expect(ScheduleBook(fileBytes: book.fileBytes) == book)
    }

    @Test(arguments: [
        #"{"attempt":0}"#, #"{"url":"https://a.example/","attempt":0,"others":7}"#,
        #"{"url":"https://a.example/","attempt":0,"others":[7,{},{"attempt":-1},{"attempt":1}]}"#,
    ])
    func aMalformedScheduleOfAnotherOriginIsSkipped(text: String) throws {
        let book = try #require(ScheduleBook(fileBytes: Array(text.utf8)))
        #expect(book.schedules.allSatisfy { $0.url == "https://a.example/" })
    }

    @Test(arguments: ["", "{}", "[]", #"{"url":"https://a.example/"}"#])
    func malformedTextIsNotABook(text: String) {
        #expect(ScheduleBook(fileBytes: Array(text.utf8)) == nil)
    }
}
