import PromoTestSupport
@testable import PromoWire
import Testing

/// A request is read from a line, and written as a line from which it is read back.
struct RequestTests {
    /// Methods with the parameters of a line, as the protocol writes them.
    private static let requests: [(Request.Method, String)] = [
        (.list(ListParameters()), ""), (.list(ListParameters(language: .one(.ko))), #""language":"ko""#),
        (
            .list(ListParameters(host: "-", language: .all, limit: .max, wait: true, unlaunched: true, icons: true)),
            #""host":"-","language":"*","limit":9223372036854775807,"wait":true,"unlaunched":true,"icons":true"#
        ),
        (.command(.icon(app: "a", host: "b", wait: true)), #""app":"a","host":"b","wait":true"#),
        (.tap(TapParameters(app: "a")), #""app":"a""#),
        (.tap(TapParameters(app: "a", host: "b", language: .ja)), #""app":"a","host":"b","language":"ja""#),
        (.impression(ImpressionParameters(apps: ["b", "a", "b"], host: "c")), #""apps":["b","a","b"],"host":"c""#),
        (.command(.launch(app: "-")), #""app":"-""#),
        (.command(.reviewEligible(ReviewParameters(app: "0", completed: 0))), #""app":"0","completed":0"#),
        (
            .command(
                .reviewRequest(
                    ReviewParameters(
                        app: "a", completed: .max, minimum: 1, page: "https://b/?c", appStoreID: "007", needsPage: false
                    ))),
            #""app":"a","completed":9223372036854775807,"minimum":1,"page":"https://b/?c","appStoreID":"007","needsPage":false"#
        ),
        (.command(.reviewReset(app: "a")), #""app":"a""#),
        (.command(.refresh(RefreshParameters(wait: false, host: "a"))), #""wait":false,"host":"a""#),
        (.command(.clear(host: "a", force: true)), #""host":"a","force":true"#),
        (.subscribe(SubscribeParameters()), ""),
        (
            .subscribe(SubscribeParameters(events: [.catalog, .tap], host: "a", since: 0, epoch: "e0")),
            #""events":["catalog","tap"],"host":"a","since":0,"epoch":"e0""#
        ),
        (.status, ""), (.command(.reload), ""), (.discover, ""),
    ]

    @Test(arguments: requests)
    func aLineIsWrittenAsTheProtocolSaysAndReadAsItsRequest(method: Request.Method, parameters: String) throws {
        let name = method.description.name
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(name)","params":{\#(parameters)}}"#
        #expect(String(decoding: Request(method).line, as: UTF8.self) == line + "\n")
        #expect(try request(line) == Request(method))
        #expect(try request("{\"method\":\"\(name)\"\(parameters.isEmpty ? "" : ",")\(parameters)}") == Request(method))
    }

    @Test func everyMethodHasALine() {
        #expect(Set(Self.requests.map(\.0.description.name)) == Set(MethodTable.all.map(\.name)))
    }

    private static let meant: [(String, Request.Method)] = [
        (#""method":"list","language":"ko-KR""#, .list(ListParameters(language: .one(.ko)))),
        (#""method":"list","language":"fr","wait":false"#, .list(ListParameters(language: .one(.en)))),
        (#""method":"tap","app":"a","language":"*""#, .tap(TapParameters(app: "a", language: .en))),
        (#""method":"tap","\u0061pp":"b\u006fok""#, .tap(TapParameters(app: "book"))),
        (#""method":"refresh""#, .command(.refresh(RefreshParameters(wait: true)))),
    ]

    @Test(arguments: meant)
    func whatAnArgumentMeansIsRead(members: String, method: Request.Method) throws {
        #expect(try request("{\(members)}").method == method)
    }

    @Test(arguments: MethodTable.all.filter { $0.parameters.contains { $0.name == "catalog" } })
    func aRequestNamesItsCatalogFirst(method: MethodDescription) throws {
        let members = method.parameters.filter(\.isRequired).map { ",\"\($0.name)\":\($0.schema.example)" }.joined()
        let request = try request("{\"method\":\"\(method.name)\"\(members),\"catalog\":\"acme\"}")
        #expect(request.catalog == .name("acme"))
        #expect(String(decoding: request.line, as: UTF8.self).contains(#""params":{"catalog":"acme""#))
    }

    @Test(arguments: ["", "\"", "\\\"", "\r\n", "\u{0}", "\u{7F}", "한국어", "\u{2028}", "\",\"wait\":true,\""])
    func aLineWithAnyTextIsOneLine(text: String) throws {
        let line = Request.line(method: text) { $0.object { $0.member("a", text) } }
        let lines = [line, Request(.tap(TapParameters(app: text))).line]
        for line in lines {
            #expect(line.last == 0x0A)
            #expect(line.count { $0 < 0x20 || $0 == 0x7F } == 1)
        }
        let value = try json(String(decoding: line.dropLast(), as: UTF8.self))
        #expect(value["method"]?.isString(text) == true)
        #expect(value["params"]?["a"]?.isString(text) == true)
    }
}
