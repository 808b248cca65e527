import Dispatch
import Logging
@testable import PromoDaemon
import Synchronization
import Testing

struct LogTests {
    /// A sink that takes records only while a gate is open.
    private final class GatedSink: LogSink {
        let gate = DispatchSemaphore(value: 0)
        let records = Mutex<[LogRecord]>([])

        func write(_ record: LogRecord) {
            gate.wait()
            gate.signal()
            records.withLock { $0.append(record) }
        }
    }

    @Test func aBlockedLogDelaysNoCallerAndTheLossIsCounted() throws {
        let sink = GatedSink()
        let queue = LogQueue(sink: sink)
        let logger = queue.makeLogger()
        let count = LogQueue.capacity * 3
        for number in 0..<count { logger.info("line \(number)") }
        sink.gate.signal()
        queue.flush()
        queue.flush()
        let records = sink.records.withLock { $0 }
        let written = records.filter { $0.message.hasPrefix("line ") }
        let notices = records.filter { $0.message.contains("were dropped") }
        let dropped = notices.compactMap { $0.fields.first { $0.name == "PROMOD_DROPPED" }.flatMap { Int($0.value) } }
        #expect(written.count < count)
        #expect(written.count + dropped.reduce(0, +) == count)
        #expect(written.first?.message == "line 0")
    }

    @Test func whatComesFromOutsideCommandsNoTerminalForgesNoLineAndIsBounded() throws {
        let sink = GatedSink()
        sink.gate.signal()
        let queue = LogQueue(sink: sink)
        let hostile = "\u{1B}[31m\u{7}\n21 Nov 00:00:00 error: forged\u{202E}\u{200F}\u{61C}"
        let long = String(repeating: hostile, count: 1000)
        queue.makeLogger().warning("\(hostile)", metadata: ["error": "\(hostile)"])
        queue.makeLogger().warning("\(long)", metadata: ["error": "\(long)"])
        queue.flush()
        let records = sink.records.withLock { $0 }
        let shown = "␛[31m␇ 21 Nov 00:00:00 error: forged"
        #expect(records.first?.message == shown)
        #expect(records.first?.fields.first?.value == shown)
        #expect(records.last?.message.unicodeScalars.count == LogRecord.maximumMessage)
        #expect(records.last?.fields.first?.value.unicodeScalars.count == LogRecord.maximumField)
    }

    @Test func aMessageThatComesAgainAndAgainIsCountedAndOthersAreNot() throws {
        let sink = GatedSink()
        sink.gate.signal()
        let queue = LogQueue(sink: sink)
        let logger = queue.makeLogger()
        for number in 1...25 {
            logger.info("the same")
            logger.info("line \(number)")
        }
        queue.flush()
        let messages = sink.records.withLock { $0.map(\.message) }
        #expect(messages.filter { $0 == "the same" }.count == LogQueue.burst)
        #expect(messages.filter { $0.hasPrefix("line ") }.count == 25)
        #expect(messages.last == "the same (25 times in 60 s)")
    }

    @Test func theLevelCanBeChangedWhileTheLoggerIsInUse() throws {
        let sink = GatedSink()
        sink.gate.signal()
        let queue = LogQueue(sink: sink)
        let logger = queue.makeLogger()
        logger.debug("unseen")
        queue.level = .debug
        logger.debug("seen")
        queue.flush()
        #expect(sink.records.withLock { $0.map(\.message) } == ["seen"])
    }
}
