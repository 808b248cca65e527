@testable import PromoDaemon
import PromoWire
import Testing

/// What promod and its fetching process say to each other.
struct FetchMessagesTests {
    private func read(_ bytes: [UInt8], limit: Int = 1000) throws -> FetchReader {
        var reader = FetchReader(maximumBytes: limit)
        try reader.read(bytes[...])
        return reader
    }

    @Test(arguments: ["x", "{}", "[]", #"{"body":0}"#, #"{"code":0,"status":200,"body":0}"#])
    func nonsenseIsRefused(text: String) throws {
        #expect(throws: FetchReader.Nonsense.self) { try read(Array("\(text)\n".utf8)) }
    }

    @Test func aBodyOverTheLimitIsRefusedEvenIfTheFetchingProcessSendsIt() throws {
        var answer = FetchAnswer()
        answer.body = [1, 2]
        #expect(try read(answer.bytes, limit: 2).answer == answer)
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes, limit: 1) }
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes + [3], limit: 3) }
    }
}
