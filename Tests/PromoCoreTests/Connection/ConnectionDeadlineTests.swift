import PromoCore
import PromoWire
import Testing

/// When a connection ends, by the clock. What it answers is tested through the socket, and for any stream by the fuzzer's target.
struct ConnectionDeadlineTests {
    /// A connection with a client that reads as much as a test allows, and a shell that answers each method with its name.
    private struct Talk {
        var connection = Connection()
        var received = ""
        /// How many bytes the client still takes.
        var room = Int.max
        var now: Milliseconds = 0
        var shutdowns = 0
        private(set) var directives: Connection.Directives

        init() { directives = connection.settle(owesEvents: false, now: 0) }

        mutating func send(_ text: String) {
            connection.receive(Array(text.utf8).span)
            proceed()
        }

        /// Lets time pass until the deadline, or until another time.
        mutating func wait(until time: Milliseconds? = nil) {
            now = time ?? directives.deadline ?? now
            connection.timePassed(now: now)
            proceed()
        }

        mutating func read(_ count: Int = .max) {
            room = count
            proceed()
        }

        /// Takes all steps that are possible.
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
            directives = connection.settle(owesEvents: false, now: now)
            if directives.shutDown { shutdowns += 1 }
        }

        /// Gives the awaited reply.
        mutating func reply() {
            var reply = OutputQueue()
            reply.reply(to: .null) { $0.json.value("later") }
            connection.replyArrived(&reply)
            proceed()
        }

        private mutating func answer(_ request: Request, _ id: RequestID?) {
            var reply = OutputQueue()
            if case .command = request.method { return connection.answered(.later(.fetch), &reply) }
            reply.reply(to: id) { $0.json.value(request.method.description.name) }
            connection.answered(.written(), &reply)
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
    }

    private var talk = Talk()

    private static let list = "{\"method\":\"list\",\"id\":1}\n"
    private static let refresh = "{\"method\":\"refresh\",\"id\":1}\n"
    private static let overlong = String(repeating: " ", count: Call.maximumLength + 1)

    @Test mutating func aRefusedClientIsReadForTwoSecondsOrUntilItEndsItsInput() {
        talk.send(Self.overlong)
        #expect(talk.received.contains("too-large"))
        #expect(talk.shutdowns == 1)
        #expect(talk.directives.input)
        var other = talk
        other.connection.inputEnded()
        other.proceed()
        #expect(other.directives.close)
        // What still arrives is not answered, and prolongs nothing.
        talk.now = 1900
        talk.send(Self.list)
        #expect(!talk.received.contains("list"))
        #expect(talk.directives.deadline == 2000)
        #expect(talk.shutdowns == 1)
        talk.wait()
        #expect(talk.directives.close)
    }

    @Test mutating func aRefusedClientThatHasEndedItsInputGetsTheWholeRefusal() {
        talk.room = 5
        talk.send(Self.overlong)
        talk.connection.inputEnded()
        talk.proceed()
        #expect(talk.directives.output)
        talk.read()
        #expect(talk.received.hasSuffix("\n"))
        #expect(talk.directives.close)
    }

    @Test mutating func theTwoSecondsBeginWhenTheLastReplyIsSentWithinAMinute() {
        talk.room = 5
        talk.send(Self.overlong)
        #expect(talk.directives.deadline == 60_000)
        #expect(talk.shutdowns == 0)
        talk.now = 10_000
        talk.read()
        #expect(talk.directives.deadline == 12_000)
        #expect(talk.shutdowns == 1)
    }

    @Test mutating func aSubscriberThatFellBehindGetsTheLastLineAndNoReplyThatItAwaited() {
        talk.send("{\"method\":\"subscribe\",\"id\":0}\n" + Self.refresh)
        talk.connection.disconnect(lagged: Array("lagged\n".utf8))
        talk.proceed()
        #expect(talk.received.hasSuffix("}\nlagged\n"))
        #expect(talk.shutdowns == 1)
        #expect(talk.directives.deadline == 2000)
        talk.reply()
        #expect(talk.received.hasSuffix("}\nlagged\n"))
        talk.wait()
        #expect(talk.directives.close)
    }

    // MARK: Stopping

    @Test(arguments: [("a request", 100 as Milliseconds), ("a kept reply", 100), ("nothing", 1000)])
    mutating func duringShutdownAnIdleClientHasATenthOfASecondAndANewClientASecond(
        asked: String, deadline: Milliseconds
    ) throws {
        if asked == "a request" { talk.send(Self.list) }
        var replies = OutputQueue()
        let whole = talk.connection.answerWholeLines(of: Array("a\n".utf8).span, into: &replies) { line, _ in
            asked == "a kept reply" ? line.count : 0
        }
        #expect((whole == 2) == (asked == "a kept reply"))
        talk.connection.stop()
        talk.proceed()
        #expect(talk.directives.deadline == deadline)
        talk.now = deadline - 50
        talk.send(Self.list)
        #expect(talk.received.contains("list"))
        #expect(try #require(talk.directives.deadline) >= deadline)
        talk.wait()
        #expect(talk.directives.close)
    }

    @Test mutating func duringShutdownAnAwaitedReplyIsStillSent() {
        talk.send(Self.refresh)
        talk.connection.stop()
        talk.wait(until: 1_000_000)
        #expect(!talk.directives.close)
        talk.reply()
        #expect(talk.received.contains("later"))
        talk.wait()
        #expect(talk.directives.close)
    }

    @Test mutating func duringShutdownUnreadRepliesAreNotCutOff() {
        talk.connection.stop()
        talk.proceed()
        talk.room = 0
        talk.now = 900
        talk.send(Self.list + Self.list)
        talk.wait(until: 1000)
        // A deadline that has passed would wake the shell again and again.
        #expect(!talk.directives.close)
        #expect(talk.directives.deadline ?? .max > talk.now)
        talk.now = 1500
        talk.read()
        #expect(talk.received.split(separator: "\n").count == 2)
        #expect(talk.directives.deadline == 1600)
    }
}
