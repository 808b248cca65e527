import NIOCore
import PromoCore
import PromoWire

/// One connection: lines in, replies out in their order, and no more read than the client reads of its replies.
final class ConnectionHandler: ChannelDuplexHandler, EventReceiver {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case serving
        /// Nothing more is answered; input is discarded for a while, so that what was answered is not lost.
        case lingering(discarded: Int)
        /// Everything is answered and the client sends no more; what is written goes out, and then the connection ends.
        case finishing
        case closed
    }

    /// The calls of a line that are still to be answered.
    private struct Work {
        var calls: ArraySlice<Call>
        let isBatch: Bool
        /// Whether the batch's array was begun, which an array of notifications never is.
        var isOpen = false
        /// Whether events have to wait for the end of the line: a part of it is out, or it caused some of them.
        var holdsEvents = false
    }

    /// Replies go out when so many bytes have come together.
    private static let flushThreshold = 65_536
    /// The channel gets a reply in pieces of this size: what a client that does not read costs.
    private static let pieceBytes = 32_768
    private static let maximumDiscarded = 16 * 1024 * 1024
    private static let lingerTime = TimeAmount.seconds(2)
    /// A subscriber who fell behind has so long to read what it was sent.
    private static let lagTime = TimeAmount.seconds(60)
    /// At a stop, who has been answered and sends nothing for so long is done,
    private static let quietTime = TimeAmount.milliseconds(100)
    /// and who has never been answered has so long to ask: a request may be on its way.
    private static let firstLineTime = TimeAmount.seconds(1)

    private let plane: QueryPlane
    private var framer = LineFramer(maximumLength: Message.maximumLength)
    private var phase = Phase.serving
    private var work: Work?
    private var isWaiting = false
    /// Whether subscribers have their turn before this connection may cause more events.
    private var isPaused = false
    private var isProcessing = false
    private var isPumping = false
    private var isAnswering = false
    private var isSubscribed = false
    private var isOutputShut = false
    private var isInputClosed = false
    private var isStopping = false
    private var hasAsked = false
    private var quiet: Scheduled<Void>?
    private var isReadHeld = false
    private var writer = JSONWriter()
    /// What is written and not yet handed to the channel.
    private var output = OutputQueue()
    private var context: ChannelHandlerContext?
    /// Why the connection is turned away, where it is.
    private let refusal: RequestError?

    init(plane: QueryPlane, refusal: RequestError? = nil) {
        self.plane = plane
        self.refusal = refusal
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        phase = .closed
        work = nil
        if !output.isEmpty { plane.largeReplyDropped() }
        // A timer may keep this for a while, and it must not keep an old catalog.
        (writer, output) = (JSONWriter(), OutputQueue())
        quiet?.cancel()
        plane.events.unsubscribe(self)
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let refusal else { return context.fireChannelActive() }
        plane.counters.errors += 1
        end(with: refusal)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        switch phase {
        case .serving: framer.append(buffer.readableBytesView)
        case .lingering(let discarded): discard(discarded + buffer.readableBytes)
        case .finishing, .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        process()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, !isPumping else { return }
        pump()
        plane.events.deliver(to: self)
        process()
    }

    func read(context: ChannelHandlerContext) {
        // While a client does not read its replies, or one has to wait, no further request is read.
        if case .serving = phase, isWaiting || isPaused || work != nil || !isWritable {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        isInputClosed = true
        if case .lingering = phase { return finish() }
        process()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close()
    }

    /// Answers what was asked, what is still on its way too, then closes.
    func stop() {
        isStopping = true
        process()
    }

    // MARK: Requests

    /// Whether the client has taken what was written for it, so that more may be.
    private var isWritable: Bool { output.isEmpty && context?.channel.isWritable == true }

    /// Answers what is there, as long as nothing has to wait and the client reads.
    private func process() {
        guard !isProcessing, context != nil, case .serving = phase else { return }
        isProcessing = true
        while !isWaiting, !isPaused, isWritable, takeWork() {
            guard !plane.events.isFull else {
                pause()
                break
            }
            isAnswering = true
            answerNext()
            isAnswering = false
            if writer.count >= Self.flushThreshold { flush() }
            if isSubscribed && work == nil {
                // Else a client that subscribed to what it causes itself could outrun its own events.
                flush()
                plane.events.deliver(to: self)
            }
        }
        // A subscriber's unfinished batch stays here, so that events can go out before it.
        if !(isSubscribed && work?.isOpen == true) { flush() }
        // A line that ended with a reply that had to wait may have held events back.
        if isSubscribed && work == nil { plane.events.deliver(to: self) }
        isProcessing = false
        guard case .serving = phase, !isWaiting, !isPaused, isWritable else { return }
        let isDone = isInputClosed && !plane.events.owes(self)
        if isDone && work == nil { return finish() }
        if isStopping && work == nil { closeWhenQuiet() }
        resumeReading()
    }

    /// Lets subscribers have their turn, then goes on.
    private func pause() {
        isPaused = true
        plane.events.afterTurn { [weak self] in
            self?.isPaused = false
            self?.process()
        }
    }

    /// Whether there is a call to answer, taken from the next line if need be.
    private func takeWork() -> Bool {
        while work == nil {
            guard case .serving = phase, let event = framer.next() ?? (isInputClosed ? framer.finish() : nil) else {
                return false
            }
            switch event {
            case .tooLong:
                plane.counters.errors += 1
                let limit = Message.maximumLength
                end(with: RequestError(.tooLarge, "A request line is at most \(limit) bytes; this connection ends."))
            case .line(let line):
                if !hasAsked, HTTPRequest.begins(with: line) {
                    plane.counters.errors += 1
                    output.append(HTTPRequest.refusal)
                    end(lingering: Self.lingerTime)
                    return false
                }
                hasAsked = true
                switch Message(line: line) {
                case .single(let call): work = Work(calls: [call], isBatch: false)
                case .batch(let calls): work = Work(calls: calls[...], isBatch: true)
                case nil: break
                }
            }
        }
        return true
    }

    private func answerNext() {
        guard let call = work?.calls.popFirst() else { return finishWork() }
        switch call {
        case .request(let request, let id):
            let mark = beginReply()
            let seq = plane.events.seq
            let hasToWait = plane.respond(to: request, id: id ?? .null, from: self, writer: &writer)
            if plane.events.seq != seq { work?.holdsEvents = true }
            if case .subscribe = request {
                isSubscribed = plane.events.follows(self)
                // What is replayed comes after the result.
                work?.holdsEvents = true
            }
            if hasToWait {
                writer.remove(since: mark)
                wait(for: request, id)
            } else if id == nil {
                writer.remove(since: mark)
            } else {
                endReply()
            }
        case .rejected(let error, let id):
            plane.counters.errors += 1
            _ = beginReply()
            writer.reply(to: id, error: error)
            endReply()
        case .dropped:
            plane.counters.errors += 1
        }
        if work?.calls.isEmpty == true && !isWaiting { finishWork() }
    }

    private func wait(for request: Request, _ id: RequestID?) {
        isWaiting = true
        plane.respondLater(to: request, id: id ?? .null, from: self) { [self] write in
            isWaiting = false
            guard case .serving = phase else { return }
            if id != nil {
                _ = beginReply()
                write(&writer)
                endReply()
            }
            if work?.calls.isEmpty == true { finishWork() }
            process()
        }
    }

    /// Where the reply begins, so that it can be taken back.
    private func beginReply() -> JSONWriter.Mark {
        let mark = writer.mark
        if let work, work.isBatch { writer.append(work.isOpen ? "," : "[") }
        return mark
    }

    private func endReply() {
        if work?.isBatch == true { work?.isOpen = true } else { writer.append("\n") }
    }

    private func finishWork() {
        if work?.isOpen == true { writer.append("]\n") }
        work = nil
    }

    // MARK: Events

    var takesEvents: Bool {
        guard case .serving = phase, !holdsEvents else { return false }
        return isWritable
    }

    var holdsEvents: Bool { isAnswering || work?.holdsEvents == true }

    func send(events: [UInt8]) {
        output.append(events)
        pump()
    }

    func disconnect(lagged line: [UInt8]) {
        guard case .serving = phase else { return }
        // What a batch has answered so far goes out as a whole array.
        if work?.isOpen == true { writer.append("]\n") }
        flush()
        output.append(line)
        end(lingering: Self.lagTime)
    }

    // MARK: Output and end

    private func flush() {
        guard writer.count > 0 else { return }
        if work?.isOpen == true { work?.holdsEvents = true }
        output.append(&writer)
        pump()
    }

    /// Hands the channel as much of what is written as it takes.
    private func pump() {
        guard let context, !isPumping else { return }
        isPumping = true
        while !output.isEmpty, context.channel.isWritable {
            var piece = context.channel.allocator.buffer(capacity: min(output.count, Self.pieceBytes))
            output.take(Self.pieceBytes) { piece.writeBytes($0) }
            context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
        }
        isPumping = false
        if output.isEmpty { outputDrained() }
    }

    private func outputDrained() {
        switch phase {
        case .serving, .closed: break
        case .lingering: shutOutput()
        case .finishing: closeAfterWrites()
        }
    }

    private func resumeReading() {
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// Answers with an error that is the connection's last: the write side is shut down, and input discarded until the client
    /// ends too. Closing at once would reset the connection, and the client could lose the reply.
    private func end(with error: RequestError) {
        writer.reply(to: .null, error: error)
        writer.append("\n")
        end(lingering: Self.lingerTime)
    }

    private func end(lingering time: TimeAmount) {
        guard let context else { return }
        phase = .lingering(discarded: 0)
        work = nil
        plane.events.unsubscribe(self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: time) { bound.value.close() }
        flush()
        pump()
        if isInputClosed { return finish() }
        isReadHeld = false
        context.read()
    }

    private func shutOutput() {
        guard !isOutputShut else { return }
        isOutputShut = true
        context?.close(mode: .output, promise: nil)
    }

    private func closeWhenQuiet() {
        guard let context else { return }
        quiet?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        quiet = context.eventLoop.scheduleTask(in: hasAsked ? Self.quietTime : Self.firstLineTime) {
            guard case .serving = bound.value.phase, bound.value.work == nil else { return }
            bound.value.finish()
        }
    }

    private func discard(_ total: Int) {
        phase = .lingering(discarded: total)
        if total > Self.maximumDiscarded { close() }
    }

    /// Nothing more is to be answered: the connection ends when what is written has gone out.
    private func finish() {
        if case .closed = phase { return }
        phase = .finishing
        pump()
    }

    /// Closes when the kernel has taken everything that was handed over; closing at once would drop it.
    private func closeAfterWrites() {
        guard let context else { return }
        phase = .closed
        let empty = context.channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(empty)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func close() {
        guard let context else { return }
        phase = .closed
        context.close(promise: nil)
    }
}
