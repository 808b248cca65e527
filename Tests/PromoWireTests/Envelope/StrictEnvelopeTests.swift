import PromoWire
import Testing

/// A line with `jsonrpc` follows JSON-RPC 2.0 to the letter (sections 4 and 4.2), but takes parameters only by name.
struct StrictEnvelopeTests {
    @Test func aRequestCarriesItsParametersInParams() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"host":"finebill"}}"#
        #expect(try request(line).method == .list(ListParameters(host: "finebill")))
    }

    @Test func theMembersMayComeInAnyOrder() throws {
        let line = #"{"params":{"limit":2},"method":"list","id":1,"jsonrpc":"2.0"}"#
        #expect(try request(line).method == .list(ListParameters(limit: 2)))
    }

    @Test func escapedNamesAndValuesMeanTheSame() throws {
        let line = #"{"\u006asonrpc":"\u0032.0","id":1,"\u006dethod":"\u006cist","p\u0061rams":{"h\u006fst":"\u0061"}}"#
        #expect(try request(line).method == .list(ListParameters(host: "a")))
    }

    @Test(arguments: [#""1.0""#, #""2""#, #""2.00""#, #""""#, "2.0", "2", "null", "true", #"["2.0"]"#, "{}"])
    func anotherVersionIsAnInvalidRequest(version: String) throws {
        let rejection = try rejection(#"{"jsonrpc":\#(version),"id":1,"method":"list"}"#)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "1")
        #expect(rejection.message.contains("\"jsonrpc\""))
    }

    @Test(arguments: ["host", "app", "param", "parameters", "Method", "JSONRPC", "result", "", "meta"])
    func anUnknownMemberIsAnInvalidRequestThatNamesIt(name: String) throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"method":"list","\#(name)":"a"}"#)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "1")
        #expect(rejection.message.contains("\"\(name)\""))
        #expect(rejection.message.contains("\"params\""))
    }

    @Test func anUnknownMemberBesideParamsIsAnInvalidRequestToo() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"list","params":{},"host":"finebill"}"#
        #expect(try rejection(line).reason == .invalidRequest)
    }

    @Test func aRequestWithoutMethodIsInvalid() throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"params":{}}"#)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.message.contains("\"method\""))
    }

    @Test(arguments: ["1", "null", "true", "[]", "{}", #"["list"]"#])
    func aMethodThatIsNotAStringIsInvalid(method: String) throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"method":\#(method)}"#)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.message.contains("\"method\""))
    }

    @Test(arguments: ["[]", #"["finebill"]"#, "null", "1", #""finebill""#, "true"])
    func paramsThatAreNotAnObjectAreInvalidParams(params: String) throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"method":"list","params":\#(params)}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.id == "1")
        #expect(rejection.message.contains("\"params\""))
    }

    @Test func paramsMayBeEmptyOrLeftOut() throws {
        #expect(try request(#"{"jsonrpc":"2.0","id":1,"method":"list","params":{}}"#).method == .list(ListParameters()))
        #expect(try request(#"{"jsonrpc":"2.0","id":1,"method":"list"}"#).method == .list(ListParameters()))
    }

    @Test(arguments: ["nothing", "List", "LIST", "list ", "", "rpc.nothing", "l\u{131}st"])
    func anUnknownMethodIsRefusedByName(method: String) throws {
        let rejection = try rejection(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#)
        #expect(rejection.reason == .unknownMethod)
        #expect(rejection.message.contains("\"\(method)\""))
    }
}
