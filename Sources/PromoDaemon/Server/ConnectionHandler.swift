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

    /// Replies are handed to the channel when so many bytes have come together.
    private static let flushThreshold = 65_536
    /// An idle connection keeps no larger buffer.
    private static let keptCapacity = 4096
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
    private var isProcessing = false
    private var isAnswering = false
    private var isSubscribed = false
    /// The last line of one who fell behind by what it asked for itself; it goes out after the reply.
    private var laggedLine: [UInt8]?
    private var isInputClosed = false
    private var isStopping = false
    private var hasAsked = false
    private var quiet: Scheduled<Void>?
    private var isReadHeld = false
    private var writer = JSONWriter()
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
        case .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        process()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return }
        plane.events.deliver(to: self)
        process()
    }

    func read(context: ChannelHandlerContext) {
        // While a client does not read its replies, or one has to wait, no further request is read.
        if case .serving = phase, isWaiting || work != nil || !context.channel.isWritable {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        isInputClosed = true
        if case .lingering = phase { return closeAfterWrites() }
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

    /// Answers what is there, as long as nothing has to wait and the client reads.
    private func process() {
        guard !isProcessing, let context, case .serving = phase else { return }
        isProcessing = true
        while !isWaiting, context.channel.isWritable, takeWork() {
            isAnswering = true
            answerNext()
            isAnswering = false
            if let laggedLine { disconnect(lagged: laggedLine) }
            if writer.bytes.count >= Self.flushThreshold { flush() }
            if isSubscribed && work == nil {
                // Else a client that follows what it causes itself could outrun its own events.
                flush()
                plane.events.deliver(to: self)
            }
        }
        // A subscriber's unfinished batch stays here, so that events can go out before it.
        if !(isSubscribed && work?.isOpen == true) { flush() }
        // A line that ended with a reply that had to wait may have held events back.
        if isSubscribed && work == nil { plane.events.deliver(to: self) }
        isProcessing = false
        guard case .serving = phase, !isWaiting, context.channel.isWritable else { return }
        let isDone = isInputClosed && !plane.events.owes(self)
        if isDone && work == nil { return closeAfterWrites() }
        if isStopping && work == nil { closeWhenQuiet() }
        resumeReading()
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
            let start = beginReply()
            let seq = plane.events.seq
            let hasToWait = plane.respond(to: request, id: id ?? .null, from: self, writer: &writer)
            if plane.events.seq != seq { work?.holdsEvents = true }
            if case .subscribe = request {
                isSubscribed = plane.events.follows(self)
                // What is replayed comes after the result.
                work?.holdsEvents = true
            }
            if hasToWait {
                writer.bytes.removeSubrange(start...)
                wait(for: request, id)
            } else if id == nil {
                writer.bytes.removeSubrange(start...)
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
    private func beginReply() -> Int {
        let start = writer.bytes.count
        if let work, work.isBatch { writer.append(work.isOpen ? "," : "[") }
        return start
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
        guard case .serving = phase, let context, !isAnswering, work?.holdsEvents != true else { return false }
        return context.channel.isWritable
    }

    func send(events: [UInt8]) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: events)), promise: nil)
    }

    func disconnect(lagged line: [UInt8]) {
        guard case .serving = phase else { return }
        // While a reply is being written, the writer is not ours.
        guard !isAnswering else { return laggedLine = line }
        if work?.isOpen == true { writer.append("]\n") }
        writer.bytes += line
        end(lingering: Self.lagTime)
    }

    // MARK: Output and end

    private func flush() {
        guard !writer.bytes.isEmpty, let context else { return }
        if work?.isOpen == true { work?.holdsEvents = true }
        let buffer = context.channel.allocator.buffer(bytes: writer.bytes)
        writer.bytes.removeAll(keepingCapacity: writer.bytes.count <= Self.keptCapacity)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
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
        flush()
        context.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: time) { bound.value.close() }
        if isInputClosed { return closeAfterWrites() }
        isReadHeld = false
        context.read()
    }

    private func closeWhenQuiet() {
        guard let context else { return }
        quiet?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        quiet = context.eventLoop.scheduleTask(in: hasAsked ? Self.quietTime : Self.firstLineTime) {
            guard case .serving = bound.value.phase, bound.value.work == nil else { return }
            bound.value.closeAfterWrites()
        }
    }

    private func discard(_ total: Int) {
        phase = .lingering(discarded: total)
        if total > Self.maximumDiscarded { close() }
    }

    /// Closes when the kernel has taken everything that was written; closing at once would drop it.
    private func closeAfterWrites() {
        guard let context else { return }
        if case .serving = phase { phase = .closed }
        let empty = context.channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(empty)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    private func close() {
        guard let context else { return }
        phase = .closed
        context.close(promise: nil)
    }
}
