import PromoCore
import PromoTestSupport
import PromoWire
import Testing

@Suite struct RefreshScheduleHostileTests {
    private func read(_ text: String) -> RefreshSchedule? {
        RefreshSchedule(fileBytes: Array(text.utf8))
    }

    @Test(arguments: [
        "", "\n", "null", "[]", "1", "{}", #"{"attempt":null}"#, #"{"attempt":"1"}"#, #"{"attempt":1.0}"#,
        #"{"attempt":1e2}"#, #"{"attempt":-1}"#, #"{"attempt":1000000001}"#, #"{"attempt":99999999999999999999}"#,
        #"{"attempt":1"#, #"{"attempt":1}x"#, #"{"attempt":1,"attempt":1}"#, "\u{FEFF}{\"attempt\":1}",
        #"{"attempt":1,"x":[[[[[1]]]]]}"#,
    ])
    func malformedTextIsNotASchedule(text: String) {
        #expect(read(text) == nil)
    }

    @Test func invalidUTF8IsNotASchedule() {
        #expect(RefreshSchedule(fileBytes: Array(#"{"attempt":1,"x":""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
    }

    @Test(arguments: [
        "null", "5", "true", "[]", #""""#, #""soon""#, #""2027-01-15T08:00:00""#, #""2027-02-30T08:00:00Z""#,
        #""99999-01-15T08:00:00Z""#,
    ])
    func aMalformedTimeIsAbsent(json: String) throws {
        let text = ["notBefore", "retryAfter", "lastAttemptAt", "lastEndAt"].map { ",\"\($0)\":\(json)" }.joined()
        #expect(try #require(read("{\"attempt\":0\(text)}")) == RefreshSchedule())
    }

    @Test(arguments: [#""lastOutcome":"great""#, #""lastOutcome":7"#, #""lastError":"tls""#, #""lastError":{}"#])
    func anUnknownWordIsAbsent(member: String) throws {
        #expect(try #require(read("{\"attempt\":0,\(member)}")) == RefreshSchedule())
    }

    @Test func anErrorWithoutAMessageKeepsItsCode() {
        #expect(read(#"{"attempt":0,"lastError":{"code":"tls"}}"#)?.lastError == Failure(.tls, ""))
        #expect(read(#"{"attempt":0,"lastError":{"code":"tls","message":4}}"#)?.lastError == Failure(.tls, ""))
    }

    @Test func membersOfALaterVersionAreIgnored() {
        #expect(read(#"{"format":9,"attempt":2,"more":{"a":[1]}}"#)?.attempt == 2)
    }

    @Test func noCutOrChangedByteTraps() {
        var schedule = RefreshSchedule()
        schedule.attempt = 12
        schedule.notBefore = .start
        schedule.lastError = Failure(.dns, "\u{1F600}\n")
        let bytes = schedule.fileBytes
        for count in 0..<bytes.count - 1 { #expect(RefreshSchedule(fileBytes: Array(bytes.prefix(count))) == nil) }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            var broken = bytes
            broken[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            if let read = RefreshSchedule(fileBytes: broken) { #expect(read.attempt >= 0) }
        }
    }

    /// The worst times and counts that a file can have. After each step, there must still be an appointment.
    @Test(arguments: [
        "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2027-01-15T08:00:01Z", "9999-12-31T23:59:59Z",
    ])
    func theMachineAcceptsAnyTime(time: String) throws {
        let times = ["notBefore", "retryAfter", "lastAttemptAt", "lastEndAt"]
        let members = times.map { ",\"\($0)\":\"\(time)\"" }.joined()
        let schedule = try #require(read("{\"attempt\":1000000000\(members)}"))
        for fetchedAt in [nil, schedule.notBefore, Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            var machine = Machine.started(fetchedAt: fetchedAt, schedule: schedule)
            let next = try #require(machine.next)
            #expect(next.at - .start <= .hours(24) + .minutes(10))
            try machine.fetch(.failure(retryAfter: .seconds(Int64.max)), now: max(.start, next.at))
            machine.networkAppeared(now: .start + .days(2))
            machine.cleared(now: .start + .days(2))
            #expect(machine.next != nil)
        }
    }
}
