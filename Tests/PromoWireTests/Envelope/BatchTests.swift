import PromoWire
import Testing

/// A batch is an array of 1 to 100 requests, each judged alone (JSON-RPC 2.0, section 6, which has no upper limit).
struct BatchTests {
    private static let status = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#

    private static func message(of elements: [String]) -> Message? {
        Message(line: Array("[\(elements.joined(separator: ","))]".utf8))
    }

    @Test(arguments: [1, 2, 99, 100])
    func oneToAHundredRequestsAreABatch(count: Int) throws {
        let calls = try #require(Self.message(of: Array(repeating: Self.status, count: count))?.batch)
        #expect(calls.count == count)
        #expect(calls.allSatisfy { $0.request?.method == .status && $0.replyID == "1" })
    }

    @Test(arguments: [0, 101, 1000])
    func anEmptyOrOversizedBatchIsOneInvalidRequestWithIDNull(count: Int) throws {
        let message = Self.message(of: Array(repeating: Self.status, count: count))
        let rejection = try #require(message?.single?.rejection)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "null")
    }

    @Test func theErrorForAnOversizedBatchNamesTheLimit() throws {
        let message = Self.message(of: Array(repeating: Self.status, count: 101))
        #expect(Message.maximumBatch == 100)
        #expect(try #require(message?.single?.rejection).message.contains("100"))
    }

    @Test func blanksInAnEmptyBatchDoNotFillIt() throws {
        #expect(try rejection("[ ]").reason == .invalidRequest)
    }

    @Test(arguments: ["1", #""list""#, "null", "true", "[]", "[\(status)]"])
    func anElementThatIsNotAnObjectIsAnInvalidRequestWithIDNull(element: String) throws {
        let calls = try #require(Self.message(of: [element, Self.status])?.batch)
        #expect(calls.map { $0.rejection?.reason } == [.invalidRequest, nil])
        #expect(calls.map(\.replyID) == ["null", "1"])
        #expect(calls[1].request?.method == .status)
    }

    @Test func aBatchOfInvalidRequestsIsABatch() throws {
        let calls = try #require(Self.message(of: ["1", "2", "3"])?.batch)
        #expect(calls.map { $0.rejection?.reason } == [.invalidRequest, .invalidRequest, .invalidRequest])
    }

    @Test func eachElementIsJudgedAlone() throws {
        let calls = try #require(
            Self.message(
                of: [
                    #"{"jsonrpc":"2.0","id":"a","method":"list"}"#,
                    #"{"jsonrpc":"2.0","id":"b","method":"nothing"}"#,
                    #"{"jsonrpc":"2.0","id":"c","method":"list","params":{"limit":0}}"#,
                    #"{"jsonrpc":"1.0","id":"d","method":"list"}"#,
                    #"{"jsonrpc":"2.0","method":"clear"}"#,
                    #"{"jsonrpc":"2.0","method":"nothing"}"#,
                    #"{"method":"list","limit":2}"#,
                    #"{"id":"e"}"#,
                ])?.batch)
        #expect(
            calls.map { $0.rejection?.reason } == [
                nil, .unknownMethod, .invalidParams, .invalidRequest, nil, nil, nil, .invalidRequest,
            ])
        #expect(
            calls.map(\.request?.method) == [
                .list(ListParameters()), nil, nil, nil, .command(.clear()), nil, .list(ListParameters(limit: 2)),
                nil,
            ])
        let ids = ["\"a\"", "\"b\"", "\"c\"", "\"d\"", nil, nil, "null", "\"e\""]
        #expect(calls.map(\.replyID) == ids)
        #expect(calls[5].isDropped)
    }

    @Test func aBatchOfNotificationsGetsNoReply() throws {
        let notification = #"{"jsonrpc":"2.0","method":"status"}"#
        let calls = try #require(Self.message(of: [notification, notification])?.batch)
        #expect(calls.map(\.request?.method) == [.status, .status])
        #expect(calls.map(\.replyID) == [nil, nil])
    }

    @Test func anElementThatIsNotJSONMakesTheWholeLineAParseError() throws {
        #expect(try rejection("[\(Self.status),list]").reason == .parseError)
        #expect(try rejection("[\(Self.status)").reason == .parseError)
    }

    @Test func idsInABatchMayRepeat() throws {
        let calls = try #require(Self.message(of: [Self.status, Self.status])?.batch)
        #expect(calls.map(\.replyID) == ["1", "1"])
    }
}
