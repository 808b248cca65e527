import PromoWire
import Testing

/// One line is one request. The suite `conformance` has the clauses of JSON-RPC 2.0 through the socket.
struct EnvelopeTests {
    /// Lines that ask for a list of one app, with the id of the reply; nil for a notification.
    private static let lines: [(String, String?)] = [
        (#"{"params":{"limit":1},"method":"list","id":1.50,"jsonrpc":"2.0"}"#, "1.50"),
        (
            #"{"\u006asonrpc":"\u0032.0","id":"\u0061","m\u0065thod":"l\u0069st","p\u0061rams":{"lim\u0069t":1}}"#,
            #""\u0061""#
        ),
        (#"{"jsonrpc":"2.0","method":"list","params":{"limit":1}}"#, nil),
        (#"{"jsonrpc":"2.0","id":null,"method":"list","params":{"limit":1}}"#, "null"),
        (#"{"id":7,"method":"list","params":{"limit":1.0}}"#, "7"), (#"{"method":"list","limit":1}"#, "null"),
        (" \t" + #"{ "method" : "list" , "limit" : 1 }"# + " \r", "null"),
    ]

    @Test(arguments: lines)
    func aRequestIsReadHoweverItIsWritten(line: String, id: String?) throws {
        let call = try call(line)
        #expect(call.request?.method == .list(ListParameters(limit: 1)))
        #expect(call.replyID == id)
    }

    @Test(arguments: [
        "", " \t \r", String(repeating: " ", count: Call.maximumLength), #"{"jsonrpc":"2.0","method":"nothing"}"#,
        #"{"jsonrpc":"2.0","method":"list","params":{"limit":0}}"#, #"{"jsonrpc":"2.0","method":"tap"}"#,
    ])
    func aBlankLineAndANotificationThatCannotBeCarriedOutAreDropped(line: String) {
        #expect(Call(line: Array(line.utf8)) == nil)
    }
}
