import PromoWire
import Testing

/// A script may leave `jsonrpc` out and write flat.
struct FlatLineTests {
    @Test func everyOtherMemberIsAParameter() throws {
        let line = #"{"method":"list","host":"finebill","limit":3,"language":"ko","wait":true}"#
        let parameters = ListParameters(host: "finebill", language: .one(.ko), limit: 3, wait: true)
        #expect(try request(line).method == .list(parameters))
    }

    @Test func paramsMayBeUsedInstead() throws {
        let line = #"{"method":"list","params":{"host":"finebill"}}"#
        #expect(try request(line).method == .list(ListParameters(host: "finebill")))
    }

    @Test(
        arguments: [
            #"{"method":"list","params":{},"host":"finebill"}"#, #"{"method":"list","host":"finebill","params":{}}"#,
            #"{"method":"list","params":{"limit":1},"host":"finebill"}"#, #"{"method":"list","params":null,"limit":1}"#,
        ])
    func paramsAndFlatParametersInOneLineAreAnInvalidRequest(line: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.id == "null")
        #expect(rejection.message.contains("\"params\""))
    }

    @Test(arguments: ["[]", "null", "1", #""finebill""#])
    func paramsThatAreNotAnObjectAreInvalidParams(params: String) throws {
        let rejection = try rejection(#"{"method":"list","params":\#(params)}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"params\""))
    }

    @Test func aLineWithoutIDIsAnsweredWithIDNull() throws {
        let call = try call(#"{"method":"status"}"#)
        #expect(call.request?.method == .status)
        #expect(call.replyID == "null")
    }

    @Test(
        arguments: [
            #"{"method":"nothing"}"#, #"{"method":"list","limit":0}"#, #"{"method":"tap"}"#, #"{"method":1}"#, "{}",
            #"{"query":"list"}"#,
        ])
    func anErrorIsAlwaysAnswered(line: String) throws {
        #expect(try rejection(line).id == "null")
    }

    @Test func anIDComesBack() throws {
        #expect(try call(#"{"id":"x","method":"status"}"#).replyID == "\"x\"")
        #expect(try rejection(#"{"id":7,"method":"nothing"}"#).id == "7")
    }

    @Test(arguments: ["{}", #"{"query":"list"}"#, #"{"id":1}"#, #"{"host":"finebill"}"#])
    func aLineWithoutMethodIsAnInvalidRequest(line: String) throws {
        let rejection = try rejection(line)
        #expect(rejection.reason == .invalidRequest)
        #expect(rejection.message.contains("\"method\""))
    }

    @Test func aParameterOfAnotherNameIsInvalidParams() throws {
        #expect(try rejection(#"{"method":"list","color":"red"}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"status","host":"finebill"}"#).reason == .invalidParams)
    }
}
