import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// A connection with a client that reads as much as a test allows, and a shell that answers each method with a word.
private struct Talk {
    var connection = Connection()
    /// The ids of the requests whose replies are awaited; one at most.
    private var awaited: [RequestID?] = []
    /// What the client has received.
    var received = ""
    /// The methods that were called, in order.
    var asked: [String] = []
    /// How many bytes the client still takes.
    var room = Int.max
    var owesEvents = false
    var now: Milliseconds = 0
    var shutdowns = 0
    var directives: Connection.Directives

    init() {
        directives = connection.settle(owesEvents: false, now: 0)
    }

    /// Passes received bytes to the connection, and takes all steps that are possible.
    mutating func send(_ text: String) {
        connection.receive(Array(text.utf8))
        proceed()
    }

    mutating func end() {
        connection.inputEnded()
        proceed()
    }

    /// Lets time pass until the deadline.
    mutating func waitForDeadline() {
        guard let deadline = directives.deadline else { return }
        now = deadline
        connection.timePassed(now: now)
        proceed()
    }

    /// Gives the awaited reply.
    mutating func reply() {
        let id = awaited.removeFirst()
        var reply = OutputQueue()
        reply.reply(to: id) { $0.json.value("later") }
        connection.replyArrived(&reply)
        proceed()
    }

    mutating func read(_ count: Int) {
        room = count
        proceed()
    }

    mutating func proceed() {
        loop: while true {
            switch connection.nextStep() {
            case .answer(let request, let id): answer(request, id)
            case .send: drain()
            case .again: continue
            case .none: break loop
            }
        }
        drain()
        directives = connection.settle(owesEvents: owesEvents, now: now)
        if directives.shutDown { shutdowns += 1 }
    }

    private mutating func answer(_ request: Request, _ id: RequestID?) {
        let method = request.method.description.name
        asked.append(method)
        let answer: Answer =
            switch request.method {
            case .command: .later(.fetch)
            case .subscribe(let parameters): .subscription(parameters)
            case .tap(let parameters): .written([.tap(app: parameters.app, host: nil)])
            default: .written()
            }
        var reply = OutputQueue()
        if case .later = answer {} else { reply.reply(to: id) { $0.json.value(method) } }
        connection.answered(answer, &reply)
        if case .later = answer { awaited.append(id) }
    }

    private mutating func drain() {
        var (taken, left) = ([UInt8](), room)
        connection.drain { bytes in
            let count = min(bytes.count, left)
            taken.append(copying: bytes.extracting(first: count))
            left -= count
            return count
        }
        if room != .max { room = left }
        received += String(decoding: taken, as: UTF8.self)
    }

    /// The results of the single replies, in order.
    var results: [String] {
        received.split(separator: "\n").compactMap { line in
            (try? JSONDocument(Array(line.utf8), maximumDepth: 8).root)?["result"]?.string
        }
    }

    var errors: [String] {
        received.split(separator: "\n").compactMap { line in
            (try? JSONDocument(Array(line.utf8), maximumDepth: 8).root)?["error"]?["data"]?["reason"]?.string
        }
    }
}

/// The decisions of a connection, without a socket.
struct ConnectionTests {
    private static let list = "{\"method\":\"list\",\"id\":1}\n"
    private static let overlong = String(repeating: " ", count: 65_537) + "\n"
    private static let status = "{\"method\":\"status\",\"id\":2}\n"

    // MARK: Requests

    @Test func aLineIsAnsweredWhenItsLastByteArrives() {
        var talk = Talk()
        for byte in Self.list.dropLast() {
            talk.send(String(byte))
            #expect(talk.received.isEmpty)
        }
        talk.send("\n")
        #expect(talk.results == ["list"])
    }

    @Test func repliesAreInTheOrderOfTheRequestsHoweverTheBytesAreSplit() {
        let text = Array((Self.list + Self.status + Self.list).utf8)
        for first in 0...text.count {
            for second in [first, (first + text.count) / 2, text.count] {
                var talk = Talk()
                for piece in [text[..<first], text[first..<second], text[second...]] {
                    talk.send(String(decoding: piece, as: UTF8.self))
                }
                #expect(talk.results == ["list", "status", "list"])
            }
        }
    }

    @Test func aNotificationIsCarriedOutAndGetsNoReply() {
        var talk = Talk()
        talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"status\"}\n" + Self.list)
        #expect(talk.asked == ["status", "list"])
        #expect(talk.received.split(separator: "\n").count == 1)
    }

    @Test func aBatchIsAnsweredOnOneLineWithoutItsNotifications() {
        var talk = Talk()
        talk.send(
            #"[{"method":"list","id":1},{"jsonrpc":"2.0","method":"status"},{"method":"?","id":2},{"method":"status","id":3}]"#
                + "\n")
        let line = talk.received
        #expect(line.hasPrefix("[{") && line.hasSuffix("}]\n"))
        #expect(line.filter { $0 == "\n" }.count == 1)
        #expect(talk.asked == ["list", "status", "status"])
        talk.send("[{\"jsonrpc\":\"2.0\",\"method\":\"status\"}]\n")
        #expect(talk.received == line)
    }

    @Test func anErrorIsAnsweredAndCountedAndTheNextLineIsServed() {
        var talk = Talk()
        talk.send("{\n" + Self.list)
        #expect(talk.errors == ["parse-error"])
        #expect(talk.results == ["list"])
    }

    @Test func theLastLineNeedsNoLineFeed() {
        var talk = Talk()
        talk.send(String(Self.list.dropLast()))
        #expect(talk.received.isEmpty)
        talk.end()
        #expect(talk.results == ["list"])
        #expect(talk.directives.close)
    }

    // MARK: Waiting

    @Test func whileAReplyIsAwaitedNothingElseIsRead() {
        var talk = Talk()
        talk.send("{\"method\":\"refresh\",\"id\":1}\n" + Self.list)
        #expect(talk.asked == ["refresh"])
        #expect(!talk.directives.input)
        talk.reply()
        #expect(talk.results == ["later", "list"])
        #expect(talk.directives.input)
    }

    @Test func aClientThatHangsUpIsMissedOnlyWhileItsReplyIsAwaited() {
        var talk = Talk()
        #expect(!talk.directives.hangUp)
        talk.send("{\"method\":\"refresh\"}\n")
        talk.end()
        #expect(talk.directives.hangUp && !talk.directives.close, "it has only ended its input")
        talk.reply()
        #expect(!talk.directives.hangUp && talk.directives.close)
    }

    @Test func aNotificationThatWaitsDelaysTheNextRequestToo() {
        var talk = Talk()
        talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"refresh\"}\n" + Self.list)
        #expect(talk.received.isEmpty)
        talk.reply()
        #expect(talk.results == ["list"])
    }

    @Test func oneReplyIsAwaitedAtATime() {
        var talk = Talk()
        talk.send(
            "[" + ["reload", "refresh", "clear"].map { "{\"method\":\"\($0)\",\"id\":1}" }.joined(separator: ",")
                + "]\n")
        for count in 1...3 {
            #expect(talk.asked.count == count && talk.received.isEmpty)
            talk.reply()
        }
        #expect(talk.received.hasSuffix("]\n"))
    }

    @Test func inABatchAReplyThatWaitsKeepsItsPlace() {
        var talk = Talk()
        talk.send(
            "[{\"method\":\"list\",\"id\":1},{\"method\":\"refresh\",\"id\":2},{\"method\":\"status\",\"id\":3}]\n")
        #expect(talk.asked == ["list", "refresh"])
        talk.reply()
        let ids = try? JSONDocument(Array(talk.received.utf8), maximumDepth: 8).root.elements.map { $0["id"]?.integer }
        #expect(ids == [1, 2, 3])
    }

    @Test func aClientThatEndsItsInputGetsAllItsReplies() {
        var talk = Talk()
        talk.send("{\"method\":\"refresh\",\"id\":1}\n" + Self.list)
        talk.end()
        #expect(!talk.directives.close)
        talk.reply()
        #expect(talk.results == ["later", "list"])
        #expect(talk.directives.close)
    }

    // MARK: Clients that do not read

    @Test func nothingMoreIsReadFromAClientThatDoesNotRead() {
        var talk = Talk()
        talk.room = 10
        talk.send(Self.list)
        #expect(talk.received.utf8.count == 10)
        #expect(!talk.directives.input)
        #expect(!talk.connection.output.isEmpty)
        talk.send(Self.status)
        #expect(talk.asked == ["list"])
        talk.read(.max)
        talk.proceed()
        #expect(talk.results == ["list", "status"])
        #expect(talk.directives.input)
    }

    @Test func everyReplyArrivesWholeInPiecesOfAnySize() {
        let text = String(repeating: Self.list + Self.status, count: 20)
        var whole = Talk()
        whole.send(text)
        for size in [1, 2, 7, 64] {
            var talk = Talk()
            talk.room = 0
            talk.send(text)
            for _ in 0..<10_000 where talk.received.utf8.count < whole.received.utf8.count { talk.read(size) }
            #expect(talk.results == Array(repeating: ["list", "status"], count: 20).flatMap(\.self))
        }
    }

    @Test func repliesAreSentTogetherUpToALimit() {
        var talk = Talk()
        talk.room = 0
        talk.send(String(repeating: Self.list, count: 5000))
        // The first 64 KiB are queued, and the rest waits until they are read.
        #expect(talk.asked.count < 2000)
        #expect(talk.connection.output.size >= 65_536)
        #expect(talk.connection.output.size < 70_000)
    }

    // MARK: Events

    @Test func eventsWaitForTheEndOfABatchAndNotForThatOfACall() {
        var talk = Talk()
        #expect(talk.connection.eventReadiness == .ready)
        talk.send(
            "{\"method\":\"refresh\",\"id\":0}\n[{\"method\":\"list\",\"id\":1},{\"method\":\"refresh\",\"id\":2}]\n")
        #expect(talk.connection.eventReadiness == .ready)
        talk.reply()
        #expect(talk.connection.eventReadiness == .held)
        talk.reply()
        #expect(talk.connection.eventReadiness == .ready)
    }

    @Test func eventsWaitForTheEndOfABatchOfWhichAPartIsSent() {
        var talk = Talk()
        let id = String(repeating: "i", count: 630)
        let lists = String(repeating: "{\"method\":\"list\",\"id\":\"\(id)\"},", count: 99)
        talk.send("[\(lists){\"method\":\"refresh\",\"id\":2}]\n")
        #expect(talk.received.utf8.count >= 65_536)
        #expect(talk.connection.eventReadiness == .held)
        talk.reply()
        #expect(talk.received.hasSuffix("}]\n"))
        #expect(talk.connection.eventReadiness == .ready)
    }

    @Test func aSubscriberThatFellBehindGetsAWholeLineAndTheLastLine() {
        var talk = Talk()
        talk.send("{\"method\":\"subscribe\",\"id\":0}\n")
        talk.send("[{\"method\":\"list\",\"id\":1},{\"method\":\"refresh\",\"id\":2}]\n")
        talk.connection.disconnect(lagged: Array("lagged\n".utf8))
        talk.proceed()
        #expect(talk.received.hasSuffix("}]\nlagged\n"))
        #expect(talk.shutdowns == 1)
        #expect(talk.directives.deadline == 2000)
        talk.reply()
        #expect(talk.received.hasSuffix("}]\nlagged\n"))
        talk.waitForDeadline()
        #expect(talk.directives.close)
    }

    @Test func aSubscriberThatEndsItsInputStillGetsTheEventsOwed() {
        var talk = Talk()
        talk.send("{\"method\":\"subscribe\",\"id\":0}\n")
        talk.owesEvents = true
        talk.end()
        #expect(!talk.directives.close)
        talk.owesEvents = false
        talk.proceed()
        #expect(talk.directives.close)
    }

    // MARK: Ends

    @Test func anOverlongLineIsRefusedAndWhatFollowsIsDiscarded() {
        for count in [65_535, 65_536, 65_537] {
            var talk = Talk()
            talk.send(String(repeating: " ", count: count) + "\n" + Self.list)
            #expect(talk.errors == (count > 65_536 ? ["too-large"] : []))
            #expect(talk.results == (count > 65_536 ? [] : ["list"]))
            #expect((talk.shutdowns == 1) == (count > 65_536))
        }
    }

    @Test func aRefusedClientIsReadForTwoSecondsOrUntilItEndsItsInput() {
        var talk = Talk()
        talk.send(Self.overlong)
        #expect(talk.errors == ["too-large"])
        #expect(talk.shutdowns == 1)
        #expect(talk.directives.input)
        talk.send(Self.list)
        #expect(talk.asked == [])
        var other = talk
        other.end()
        #expect(other.directives.close)
        #expect(talk.directives.deadline == 2000)
        talk.waitForDeadline()
        #expect(talk.directives.close)
    }

    @Test func aClientThatReadsDuringATurnIsServedOn() {
        var talk = Talk()
        talk.room = 10
        talk.connection.receive(Array((Self.list + Self.status).utf8))
        guard case .answer(_, let id) = talk.connection.nextStep() else { return }
        var reply = OutputQueue()
        reply.reply(to: id) { $0.json.value("list") }
        talk.connection.answered(.written(), &reply)
        talk.connection.drain { _ in 0 }
        #expect(talk.connection.nextStep() == .none)
        // The client reads everything after the last step and before the end of this turn.
        talk.connection.drain { $0.count }
        let directives = talk.connection.settle(owesEvents: false, now: 0)
        #expect(directives.more)
        #expect(!directives.input)
        #expect(!directives.close)
    }

    @Test func aClientThatEndedItsInputIsNotClosedWhileALineIsLeft() {
        var talk = Talk()
        talk.connection.receive(Array((Self.list + "{\"method\":\"status\",\"id\":2}").utf8))
        talk.connection.inputEnded()
        let directives = talk.connection.settle(owesEvents: false, now: 0)
        #expect(directives.more && !directives.close)
        talk.proceed()
        #expect(talk.results == ["list", "status"])
        #expect(talk.directives.close)
    }

    @Test func eachStepTakesOneLine() {
        var talk = Talk()
        talk.connection.receive(Array("\n\nx\n\n".utf8))
        var steps: [Connection.Step] = []
        for _ in 0..<5 { steps.append(talk.connection.nextStep()) }
        #expect(
            steps == [.again, .again, .again, .again, .none])
    }

    @Test func duringShutdownUnreadRepliesAreNotCutOff() {
        var talk = Talk()
        talk.connection.stop()
        talk.proceed()
        talk.now = 900
        talk.room = 0
        talk.send(Self.list + Self.status)
        talk.now = 1000
        talk.connection.timePassed(now: talk.now)
        talk.proceed()
        // A deadline that has passed would wake the shell again and again.
        #expect(!talk.directives.close && talk.directives.deadline.map { $0 > talk.now } != false)
        talk.now = 1500
        talk.read(.max)
        talk.proceed()
        #expect(talk.results == ["list", "status"])
        #expect(talk.directives.deadline == 1600)
    }

    @Test func theTwoSecondsBeginWhenTheLastReplyIsSent() {
        var talk = Talk()
        talk.room = 5
        talk.send(Self.overlong)
        #expect(talk.directives.deadline == 60_000)
        talk.now = 10_000
        talk.read(.max)
        #expect(talk.directives.deadline == 12_000)
    }

    @Test func whatStillArrivesDoesNotProlongTheTwoSeconds() {
        var talk = Talk()
        talk.send(Self.overlong)
        talk.now = 1900
        talk.send("x")
        #expect(talk.directives.deadline == 2000)
    }

    @Test func theWriteSideIsShutDownWhenTheLastReplyIsSent() {
        var talk = Talk()
        talk.room = 5
        talk.send(Self.overlong)
        #expect(talk.shutdowns == 0)
        talk.read(.max)
        #expect(talk.shutdowns == 1)
        talk.proceed()
        #expect(talk.shutdowns == 1)
    }

    @Test func aBrokenConnectionEndsAtOnce() {
        var talk = Talk()
        talk.room = 0
        talk.send(Self.list + "{\"method\":\"refresh\",\"id\":1}\n")
        talk.connection.broke()
        talk.proceed()
        #expect(talk.directives.close)
        #expect(talk.connection.output.isEmpty)
        #expect(!talk.directives.input)
        #expect(talk.directives.deadline == nil)
    }

    // MARK: Stopping

    @Test func duringShutdownAnIdleClientHasATenthOfASecondAndANewClientASecond() {
        var answered = Talk()
        answered.send(Self.list)
        answered.connection.stop()
        answered.proceed()
        #expect(answered.directives.deadline == 100)
        var silent = Talk()
        silent.connection.stop()
        silent.proceed()
        #expect(silent.directives.deadline == 1000)
        silent.now = 900
        silent.send(Self.list)
        #expect(silent.results == ["list"])
        #expect(silent.directives.deadline == 1000)
        silent.waitForDeadline()
        #expect(silent.directives.close)
    }

    @Test func duringShutdownAnAwaitedReplyIsStillSent() {
        var talk = Talk()
        talk.send("{\"method\":\"refresh\",\"id\":1}\n")
        talk.connection.stop()
        talk.proceed()
        talk.now = 1_000_000
        talk.connection.timePassed(now: talk.now)
        talk.proceed()
        #expect(!talk.directives.close)
        talk.reply()
        #expect(talk.results == ["later"])
        talk.waitForDeadline()
        #expect(talk.directives.close)
    }
}

/// Whole lines that are answered before they are framed.
struct WholeLinesTests {
    private func answered(_ talk: inout Talk, _ text: String, _ isCommon: (String) -> Bool) -> Int {
        var replies = OutputQueue()
        let bytes = Array(text.utf8)
        let count = talk.connection.answerWholeLines(of: bytes.span, into: &replies) { line, replies in
            let rest = String(decoding: line)
            guard let end = rest.utf8.firstIndex(of: 0x0A), isCommon(String(rest[..<end])) else { return 0 }
            replies.reply(to: nil, of: line, rest: Array(#","result":"kept"}"#.utf8) + [0x0A])
            return rest[...end].utf8.count
        }
        talk.connection.takeOver(&replies)
        return count
    }

    @Test func theLinesUpToTheFirstUncommonOneAreAnswered() {
        var talk = Talk()
        #expect(answered(&talk, "a\na\nb\na\n", { $0 == "a" }) == 4)
        talk.proceed()
        #expect(talk.results == ["kept", "kept"])
        #expect(answered(&talk, "a\na", { $0 == "a" }) == 2)
    }

    @Test func duringShutdownTheyCountAsRequests() {
        var (asked, silent) = (Talk(), Talk())
        #expect(answered(&asked, "a\n", { _ in true }) == 2 && answered(&silent, "a\n", { _ in false }) == 0)
        for (var talk, deadline) in [(asked, 100 as Milliseconds), (silent, 1000)] {
            talk.connection.stop()
            talk.proceed()
            #expect(talk.directives.deadline == deadline)
        }
    }

    @Test func nothingIsAnsweredBeforeWhatWaits() {
        var held = Talk()
        held.send("{\"method\":\"refresh\",\"id\":1}\n")
        #expect(answered(&held, "a\n", { _ in true }) == 0)
        var unfinished = Talk()
        unfinished.send("{\"meth")
        #expect(answered(&unfinished, "a\n", { _ in true }) == 0)
        var unread = Talk()
        unread.room = 0
        unread.send("{\"method\":\"list\",\"id\":1}\n")
        #expect(answered(&unread, "a\n", { _ in true }) == 0)
    }

    @Test func afterRepliesThatWereNotTakenNothingIsAnsweredUntilTheyAre() {
        var talk = Talk()
        talk.room = 0
        #expect(answered(&talk, "a\n", { _ in true }) == 2)
        talk.connection.receive(Array("{\"method\":\"list\",\"id\":1}\n".utf8))
        #expect(talk.connection.nextStep() == .none)
        talk.read(.max)
        #expect(talk.results == ["kept"])
        talk.proceed()
        #expect(talk.results == ["kept", "list"])
    }

    @Test func linesAreAnsweredUpToTheSizeAtWhichRepliesAreSent() {
        var talk = Talk()
        let done = answered(&talk, String(repeating: "a\n", count: 10_000), { _ in true })
        #expect(done < 20_000)
        #expect(talk.connection.output.size >= 65_536)
        #expect(talk.connection.output.size < 65_700)
    }
}

extension Connection {
    /// Takes received bytes.
    fileprivate mutating func receive(_ bytes: [UInt8]) {
        receive(bytes.span)
    }
}
