import PromoCore
import PromoTestSupport
import PromoWire

extension FuzzTarget {
    /// However a stream arrives, is answered and is sent, a connection's replies are those to its lines in order, and it ends.
    static let connection = FuzzTarget(name: "connection") { input in
        let (stream, script) = Script.split(input)
        var shell = Shell(stream, script)
        try shell.run()
        let expected = replies(to: stream)
        try require(
            shell.sent == expected,
            "\(String(decoding: shell.sent, as: UTF8.self)) was sent, not \(String(decoding: expected, as: UTF8.self))")
    }

    private static func replies(to stream: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for line in stream.split(separator: 0x0A) {
            if line.count > Call.maximumLength {
                text += reply(to: .rejected(Shell.tooLong, id: .null)) + [0x0A]
                break
            }
            guard let call = Call(line: Array(line)) else { continue }
            let reply = reply(to: call)
            if !reply.isEmpty { text += reply + [0x0A] }
        }
        return text
    }

    private static func reply(to call: Call) -> [UInt8] {
        var output = OutputQueue()
        switch call {
        case .request(let request, let id): Shell.write(request, id, &output)
        case .rejected(let error, let id): output.reply(to: id, error: error)
        }
        return output.text
    }
}

/// What the daemon does around a connection, with a script in place of the loop, the descriptor and the clock.
private struct Shell {
    static let tooLong = RequestError(
        .tooLarge, "A request line is at most \(Call.maximumLength) bytes; this connection ends.")

    private(set) var sent: [UInt8] = []
    private var connection = Connection()
    private var stream: ArraySlice<UInt8>
    private var script: Script
    private var reply = OutputQueue()
    private var kept = KeptReplies()
    private var now: Milliseconds = 0
    private var awaited: (request: Request, id: RequestID?)?

    init(_ stream: ArraySlice<UInt8>, _ script: Script) {
        self.stream = stream
        self.script = script
    }

    static func write(_ request: Request, _ id: RequestID?, _ output: inout OutputQueue) {
        output.reply(to: id) { $0.json.value(request.method.description.name) }
    }

    /// Runs until the connection is over.
    mutating func run() throws(Violation) {
        // Each round takes a byte, takes a step, or lets time pass.
        for _ in 0..<64 * (stream.count + 64) {
            proceed()
            let directives = connection.settle(owesEvents: false, now: now)
            if directives.close {
                try require(connection.output.isEmpty, "the connection was closed with replies unsent")
                return
            }
            if directives.output {
                drain()
            } else if awaited != nil {
                goOn()
            } else if directives.input {
                receive()
            } else if let deadline = directives.deadline, !directives.more {
                now = max(now, deadline)
                connection.timePassed(now: now)
            } else {
                try require(directives.more, "the connection waits for nothing")
            }
        }
        throw Violation(description: "the connection never ends")
    }

    private mutating func receive() {
        guard !stream.isEmpty else { return connection.inputEnded() }
        let count = script.piece(of: stream.count)
        let piece = Array(stream.prefix(count))
        stream = stream.dropFirst(count)
        let done = connection.answerWholeLines(of: piece.span, into: &reply) { bytes, output in
            kept.answer(bytes, output: &output) { _, _ in Array(",\"result\":\"list\"}\n".utf8) }
        }
        connection.takeOver(&reply)
        if done < piece.count { connection.receive(piece.span.extracting(done...)) }
    }

    private mutating func drain() {
        var sent: [UInt8] = []
        var script = script
        connection.drain { bytes in
            let count = script.piece(of: bytes.count)
            sent.append(copying: bytes.extracting(first: count))
            return count
        }
        self.script = script
        self.sent += sent
    }

    private mutating func goOn() {
        guard let (request, id) = awaited.take() else { return }
        Self.write(request, id, &reply)
        connection.replyArrived(&reply)
    }

    private mutating func proceed() {
        for _ in 0..<1 + script.number(below: 8) {
            switch connection.nextStep() {
            case .answer(let request, let id): answer(request, id)
            case .send: drain()
            case .again: break
            case .none: return
            }
            if script.number(below: 2) == 1 { drain() }
        }
    }

    private mutating func answer(_ request: Request, _ id: RequestID?) {
        let choice = script.number(below: 4)
        if choice != 1 { Self.write(request, id, &reply) }
        let answer: Answer =
            switch choice {
            case 1: .later(.fetch)
            case 2: .subscription(SubscribeParameters())
            case 3: .written([.tap(app: "a", host: nil)])
            default: .written()
            }
        connection.answered(answer, &reply)
        if case .later = answer { awaited = (request, id) }
    }
}
