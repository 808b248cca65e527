import PromoTestSupport
@testable import PromoWire
import Testing

/// The requests that lines are read as.
struct RequestTests {
    private static let lines: [(String, Request.Method)] = [
        (#"{"method":"list"}"#, .list(ListParameters())),
        (#"{"method":"list","host":"finebill"}"#, .list(ListParameters(host: "finebill"))),
        (#"{"method":"list","language":"ko-KR"}"#, .list(ListParameters(language: .one(.ko)))),
        (#"{"method":"list","language":"fr"}"#, .list(ListParameters(language: .one(.en)))),
        (#"{"method":"list","language":"*"}"#, .list(ListParameters(language: .all))),
        (#"{"method":"list","limit":1}"#, .list(ListParameters(limit: 1))),
        (#"{"method":"list","limit":9223372036854775807}"#, .list(ListParameters(limit: .max))),
        (#"{"method":"list","wait":true}"#, .list(ListParameters(wait: true))),
        (#"{"method":"list","wait":false}"#, .list(ListParameters(wait: false))),
        (
            #"{"method":"list","unlaunched":true,"icons":true}"#,
            .list(ListParameters(unlaunched: true, icons: true))
        ),
        (#"{"method":"icon","app":"bookary"}"#, .command(.icon(app: "bookary"))),
        (#"{"method":"tap","app":"bookary"}"#, .tap(TapParameters(app: "bookary"))),
        (
            #"{"method":"tap","app":"bookary","host":"finebill","language":"ja_JP.UTF-8"}"#,
            .tap(TapParameters(app: "bookary", host: "finebill", language: .ja))
        ),
        (#"{"method":"tap","app":"bookary","language":"*"}"#, .tap(TapParameters(app: "bookary", language: .en))),
        (#"{"method":"impression","apps":["bookary"]}"#, .impression(ImpressionParameters(apps: ["bookary"]))),
        (
            #"{"method":"impression","apps":["b","a","b"],"host":"c"}"#,
            .impression(ImpressionParameters(apps: ["b", "a", "b"], host: "c"))
        ),
        (#"{"method":"launch","app":"fittoday"}"#, .command(.launch(app: "fittoday"))),
        (#"{"method":"launch","app":"-"}"#, .command(.launch(app: "-"))),
        (
            #"{"method":"review-eligible","app":"fit-2-day","completed":0}"#,
            .command(.reviewEligible(ReviewParameters(app: "fit-2-day", completed: 0)))
        ),
        (
            #"{"method":"review-eligible","completed":9223372036854775807,"app":"0"}"#,
            .command(.reviewEligible(ReviewParameters(app: "0", completed: .max)))
        ),
        (
            #"{"method":"review-request","app":"fittoday","completed":12}"#,
            .command(.reviewRequest(ReviewParameters(app: "fittoday", completed: 12)))
        ),
        (
            #"{"method":"review-request","app":"fittoday","completed":12,"page":"HTTPS://a?b","appStoreID":"007","needsPage":true}"#,
            .command(
                .reviewRequest(
                    ReviewParameters(
                        app: "fittoday", completed: 12, page: "https://a/?b", appStoreID: "007", needsPage: true)))
        ),
        (#"{"method":"review-reset","app":"fittoday"}"#, .command(.reviewReset(app: "fittoday"))),
        (#"{"method":"refresh"}"#, .command(.refresh(RefreshParameters(wait: true)))),
        (#"{"method":"refresh","wait":true}"#, .command(.refresh(RefreshParameters(wait: true)))),
        (#"{"method":"refresh","wait":false}"#, .command(.refresh(RefreshParameters(wait: false)))),
        (#"{"method":"clear"}"#, .command(.clear())),
        (#"{"method":"subscribe"}"#, .subscribe(SubscribeParameters())),
        (#"{"method":"subscribe","events":["tap"]}"#, .subscribe(SubscribeParameters(events: [.tap]))),
        (
            #"{"method":"subscribe","events":["catalog","tap","impression","tap"]}"#,
            .subscribe(SubscribeParameters(events: [.catalog, .tap, .impression, .tap]))
        ),
        (#"{"method":"subscribe","since":0}"#, .subscribe(SubscribeParameters(since: 0))),
        (
            #"{"method":"subscribe","host":"finebill","since":9223372036854775807,"epoch":"e0"}"#,
            .subscribe(SubscribeParameters(host: "finebill", since: .max, epoch: "e0"))
        ),
        (#"{"method":"status"}"#, .status),
        (#"{"method":"reload"}"#, .command(.reload)),
        (#"{"method":"refresh","host":"finebill"}"#, .command(.refresh(RefreshParameters(host: "finebill")))),
        (#"{"method":"clear","host":"finebill"}"#, .command(.clear(host: "finebill"))),
        (
            #"{"method":"icon","app":"bookary","host":"finebill","wait":true}"#,
            .command(.icon(app: "bookary", host: "finebill", wait: true))
        ),
        (#"{"method":"rpc.discover"}"#, .discover),
    ]

    @Test(arguments: lines)
    func aLineBecomesItsRequest(line: String, expected: Request.Method) throws {
        #expect(try request(line) == Request(expected))
    }

    @Test(arguments: lines)
    func aRequestKnowsItsMethod(line: String, expected: Request.Method) throws {
        #expect(try json(line)["method"]?.string == expected.description.name)
    }

    @Test(arguments: MethodTable.all.filter { $0.parameters.contains { $0.name == "catalog" } }.map(\.name))
    func aRequestNamesItsCatalog(name: String) throws {
        let method = try #require(MethodTable.method(named: name))
        let parameters = method.parameters.filter { $0.isRequired || $0.name == "catalog" }
        let members = parameters.map { ",\"\($0.name)\":\($0.schema.example)" }.joined()
        let request = try request("{\"method\":\"\(name)\"\(members)}")
        #expect(request.catalog == .name("acme"))
        #expect(request.method.description.name == name)
    }

    @Test func everyMethodHasALine() {
        #expect(Set(Self.lines.map(\.1.description.name)) == Set(MethodTable.all.map(\.name)))
    }

    @Test func anEscapedArgumentIsUnescaped() throws {
        let line = #"{"method":"tap","\u0061pp":"b\u006fok\u0061ry"}"#
        #expect(try request(line).method == .tap(TapParameters(app: "bookary")))
    }
}
