import PromoWire
import Testing

/// A member that a method does not take is refused with the one that was probably meant.
struct UnknownMemberTests {
    private static let meant: [(String, String, String)] = [
        ("list", "HOST", "host"), ("list", "Host", "host"), ("list", "hosts", "host"), ("list", "hos", "host"),
        ("list", "hast", "host"), ("list", "LANGUAGE", "language"), ("list", "langauge", "language"),
        ("list", "languages", "language"), ("list", "limits", "limit"), ("list", "limt", "limit"),
        ("list", "Limit", "limit"), ("list", "wai", "wait"), ("refresh", "waits", "wait"), ("tap", "apps", "app"),
        ("tap", "App", "app"), ("impression", "appss", "apps"), ("impression", "app", "apps"),
        ("launch", "apps", "app"), ("review-eligible", "complete", "completed"),
        ("review-request", "Completed", "completed"), ("review-request", "appStoreId", "appStoreID"),
        ("subscribe", "event", "events"), ("subscribe", "Events", "events"), ("subscribe", "sinse", "since"),
        ("subscribe", "epochs", "epoch"),
    ]

    @Test(arguments: meant)
    func theParameterThatWasProbablyMeantIsNamedWithItsType(method: String, member: String, meant: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)","\#(member)":"x"}"#)
        let parameters = try #require(MethodTable.method(named: method)).parameters
        let words = try #require(parameters.first { $0.name == meant }).words
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"\(member)\""))
        #expect(rejection.message.contains("Did you mean \"\(meant)\""))
        #expect(rejection.message.contains(words))
    }

    @Test(arguments: meant)
    func theSameHoldsInsideParams(method: String, member: String, meant: String) throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"\#(member)":"x"}}"#
        #expect(try rejection(line).message.contains("Did you mean \"\(meant)\""))
    }

    @Test(arguments: ["color", "", "h", "lang", "hostess", "languagelanguage", "x-host", "\u{D55C}"])
    func aMemberThatResemblesNoParameterIsAnsweredWithAllParameters(member: String) throws {
        let rejection = try rejection(#"{"method":"list","\#(member)":"x"}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\"\(member)\""))
        for name in ["host", "language", "limit", "wait"] { #expect(rejection.message.contains("\"\(name)\"")) }
        #expect(!rejection.message.contains("Did you mean"))
    }

    @Test(arguments: [#""jsonrpc":"2.0","id":1,"#, #""id":1,"#, ""])
    func aCallWithoutArgumentsIsToldWhatItNeeds(envelope: String) throws {
        let rejection = try rejection("{\(envelope)\"method\":\"launch\"}")
        #expect(rejection.reason == .invalidParams && rejection.message.hasPrefix("launch needs \"app\","))
    }

    @Test(arguments: MethodTable.all.filter(\.parameters.isEmpty).map(\.name))
    func theErrorSaysThatAMethodTakesNoParameters(method: String) throws {
        let rejection = try rejection(#"{"method":"\#(method)","wait":true}"#)
        #expect(rejection.reason == .invalidParams)
        #expect(rejection.message.contains("\(method) takes no parameters"))
        #expect(rejection.message.contains("\"wait\""))
    }

    @Test func theMethodsWithoutParametersAreThese() {
        let names = MethodTable.all.filter(\.parameters.isEmpty).map(\.name)
        #expect(names == ["status", "reload", "rpc.discover"])
    }

    @Test func anUnknownMemberIsRefusedEvenIfAllOthersAreRight() throws {
        #expect(try rejection(#"{"method":"tap","app":"a","color":1}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"tap","color":1,"app":"a"}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"list","color":null}"#).reason == .invalidParams)
    }

    @Test func aMemberOfAnotherMethodIsUnknown() throws {
        #expect(try rejection(#"{"method":"tap","app":"a","limit":1}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"refresh","limit":1}"#).reason == .invalidParams)
        #expect(try rejection(#"{"method":"launch","app":"a","completed":3}"#).reason == .invalidParams)
        #expect(
            try rejection(#"{"method":"review-request","app":"a","completed":3,"host":"a"}"#).reason == .invalidParams)
    }
}
