import PromoCore
import PromoWire

extension FuzzTarget {
    /// However a stream arrives, is answered and is sent, a connection's replies are those to its lines in order, and it ends.
    static let connection = FuzzTarget(name: "connection") { input in
        let (stream, script) = Script.split(input)
        // An HTTP request ends a connection after its first line, and is answered with HTTP.
        if HTTPRequest.begins(with: Array(stream.prefix { $0 != 0x0A })) { return }
        var shell = Shell(stream, script)
        try shell.run()
        let expected = replies(to: stream)
        try require(
            shell.sent == expected,
            "\(String(decoding: shell.sent, as: UTF8.self)) was sent, not \(String(decoding: expected, as: UTF8.self))")
    }

    private static func replies(to stream: ArraySlice<UInt8>) -> [UInt8] {
        var lines = ReplyLines()
        for line in stream.split(separator: 0x0A) {
            if line.count > Message.maximumLength {
                lines.reply(to: .null, error: Shell.tooLong)
                break
            }
            switch Message(line: Array(line)) {
            case .single(let call): write(call, &lines)
            case .batch(let calls):
                lines.beginBatch()
                for call in calls { write(call, &lines) }
                lines.endBatch()
            case nil: break
            }
        }
        return lines.text
    }

    private static func write(_ call: Call, _ lines: inout ReplyLines) {
        switch call {
        case .request(let request, let id): Shell.write(request, id, &lines)
        case .rejected(let error, let id): lines.reply(to: id, error: error)
        case .dropped: break
        }
    }
}

/// What the daemon does around a connection, with a script in place of the loop, the descriptor and the clock.
private struct Shell {
    static let tooLong = RequestError(
        .tooLarge, "A request line is at most \(Message.maximumLength) bytes; this connection ends.")

    private(set) var sent: [UInt8] = []
    private var connection = Connection()
    private var stream: ArraySlice<UInt8>
    private var script: Script
    private var lines = ReplyLines()
    private var kept = KeptReplies()
    private var now: Milliseconds = 0
    private var awaited: [Request] = []
    private var isTurnDue = false

    init(_ stream: ArraySlice<UInt8>, _ script: Script) {
        self.stream = stream
        self.script = script
    }

    static func write(_ request: Request, _ id: RequestID?, _ lines: inout ReplyLines) {
        lines.reply(to: id) { writer in writer.value(request.method.description.name) }
    }

    /// Runs until the connection is over.
    mutating func run() throws(Violation) {
        // Each round takes a byte, takes a step, or lets time pass.
        for _ in 0..<64 * (stream.count + 64) {
            proceed()
            let wish = connection.settle(owesEvents: false, now: now)
            if wish.close {
                try require(connection.output.isEmpty, "the connection was closed with replies unsent")
                return
            }
            if wish.output {
                drain()
            } else if !awaited.isEmpty || isTurnDue {
                goOn()
            } else if wish.input {
                receive()
            } else if let deadline = wish.deadline, !wish.more {
                now = max(now, deadline)
                connection.timePassed(now: now)
            } else {
                try require(wish.more, "the connection waits for nothing")
            }
        }
        throw Violation(description: "the connection never ends")
    }

    private mutating func receive() {
        guard !stream.isEmpty else { return connection.inputEnded() }
        let count = script.piece(of: stream.count)
        let piece = Array(stream.prefix(count))
        stream = stream.dropFirst(count)
        var lines = ReplyLines()
        let done = connection.answerWholeLines(of: piece.span, into: &lines) { bytes, lines in
            let reply = kept.reply(to: bytes, serial: 1, now: Timestamp(milliseconds: 0)) { _, _ in
                let validity = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 1)
                return (Array(",\"result\":\"list\"}\n".utf8), validity)
            }
            guard let reply else { return 0 }
            lines.reply(to: reply.id, of: bytes, rest: reply.rest)
            return reply.length
        }
        connection.takeOver(&lines)
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
        if !awaited.isEmpty {
            let request = awaited.removeFirst()
            _ = connection.replyArrived { id, lines in Self.write(request, id, &lines) }
        } else {
            isTurnDue = false
            connection.turnEnded()
        }
    }

    private mutating func proceed() {
        takeSteps()
        connection.send()
    }

    private mutating func takeSteps() {
        for _ in 0..<1 + script.number(below: 8) {
            switch connection.nextStep(mayCauseEvents: script.number(below: 4) != 1) {
            case .answer(let request, let id): answer(request, id)
            case .takeTurn:
                isTurnDue = true
                return
            case .send: connection.send()
            case .again: break
            case .none: return
            }
            if connection.output.isEmpty { continue }
            drain()
        }
    }

    private mutating func answer(_ request: Request, _ id: RequestID?) {
        // One that joins others waits as they do.
        switch awaited.isEmpty ? script.number(below: 4) : 1 {
        case 1:
            awaited.append(request)
            connection.waits(for: request, id: id)
        case 2:
            Self.write(request, id, &connection.lines)
            _ = connection.subscribed(true)
        case let choice:
            Self.write(request, id, &connection.lines)
            _ = connection.answered(emitted: choice == 3)
        }
    }
}
