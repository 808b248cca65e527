import PromoCore
import PromoWire
import Testing

/// Replies while another promod holds the cache.
@Suite struct BusyTests {
    @Test(arguments: [
        #"{"method":"list"}"#, #"{"method":"list","wait":true}"#, #"{"method":"status"}"#, #"{"method":"refresh"}"#,
        #"{"method":"clear"}"#, #"{"method":"reload"}"#, #"{"method":"tap","app":"bookary"}"#,
        #"{"method":"impression","apps":["bookary"]}"#, #"{"method":"launch","app":"fittoday"}"#,
        #"{"method":"review-eligible","app":"fittoday","completed":3}"#,
        #"{"method":"review-request","app":"fittoday","completed":3}"#,
        #"{"method":"rpc.discover"}"#,
    ])
    func everyMethodIsRefused(line: String) throws {
        for var desk in [Desk.empty(), .loading(), try .serving()] {
            desk.snapshot.busy = RequestError(.busy, "Another promod, 4711, holds the cache.")
            let reply = try desk.ask(line)
            #expect(reply.answer == .refused)
            #expect(
                try reply.json == [
                    "jsonrpc": "2.0", "id": .null,
                    "error": [
                        "code": -32005, "message": "Another promod, 4711, holds the cache.",
                        "data": ["reason": "busy"],
                    ],
                ])
        }
    }
}
