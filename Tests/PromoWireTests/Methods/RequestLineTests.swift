import PromoTestSupport
import PromoWire
import Testing

/// A request is written as a line from which it is read back.
struct RequestLineTests {
    private static let lines: [(Request.Method, String)] = [
        (.list(ListParameters()), #""method":"list","params":{}"#),
        (.list(ListParameters(host: "finebill")), #""method":"list","params":{"host":"finebill"}"#),
        (
            .list(ListParameters(host: "-", language: .all, limit: 3, wait: true)),
            #""method":"list","params":{"host":"-","language":"*","limit":3,"wait":true}"#
        ),
        (
            .list(ListParameters(unlaunched: true, icons: true)),
            #""method":"list","params":{"unlaunched":true,"icons":true}"#
        ),
        (.command(.icon(app: "bookary")), #""method":"icon","params":{"app":"bookary"}"#),
        (.list(ListParameters(language: .one(.ko))), #""method":"list","params":{"language":"ko"}"#),
        (.tap(TapParameters(app: "bookary")), #""method":"tap","params":{"app":"bookary"}"#),
        (
            .tap(TapParameters(app: "bookary", host: "finebill", language: .ja)),
            #""method":"tap","params":{"app":"bookary","host":"finebill","language":"ja"}"#
        ),
        (
            .impression(ImpressionParameters(apps: ["b", "a", "b"], host: "c")),
            #""method":"impression","params":{"apps":["b","a","b"],"host":"c"}"#
        ),
        (.command(.launch(app: "fittoday")), #""method":"launch","params":{"app":"fittoday"}"#),
        (
            .command(.reviewEligible(ReviewParameters(app: "fittoday", completed: 0))),
            #""method":"review-eligible","params":{"app":"fittoday","completed":0}"#
        ),
        (
            .command(.reviewRequest(ReviewParameters(app: "fittoday", completed: .max))),
            #""method":"review-request","params":{"app":"fittoday","completed":9223372036854775807}"#
        ),
        (
            .command(
                .reviewEligible(
                    ReviewParameters(app: "a", completed: 0, page: "https://b/", appStoreID: "7", needsPage: true))),
            #""method":"review-eligible","params":{"app":"a","completed":0,"page":"https://b/","appStoreID":"7","needsPage":true}"#
        ),
        (.command(.reviewReset(app: "a")), #""method":"review-reset","params":{"app":"a"}"#),
        (.command(.refresh(RefreshParameters(wait: true))), #""method":"refresh","params":{"wait":true}"#),
        (.command(.refresh(RefreshParameters(wait: false))), #""method":"refresh","params":{"wait":false}"#),
        (
            .command(.refresh(RefreshParameters(wait: false))),
            #""method":"refresh","params":{"wait":false}"#
        ),
        (.command(.clear()), #""method":"clear","params":{}"#),
        (.subscribe(SubscribeParameters()), #""method":"subscribe","params":{}"#),
        (
            .subscribe(SubscribeParameters(events: [.catalog, .tap], host: "finebill", since: 0, epoch: "e0")),
            #""method":"subscribe","params":{"events":["catalog","tap"],"host":"finebill","since":0,"epoch":"e0"}"#
        ),
        (.status, #""method":"status","params":{}"#), (.command(.reload), #""method":"reload","params":{}"#),
        (.discover, #""method":"rpc.discover","params":{}"#),
    ]

    private static let texts = [
        "", " ", "\"", "\\", "\\\"", "\n", "\r\n", "a\nb", "\t", "\u{0}", "\u{1F}", "\u{7F}", "한국어",
        "\u{1112}\u{1161}\u{11AB}",
        "😀", "\u{2028}\u{2029}", "\u{10FFFF}", "{\"method\":\"clear\"}", "\",\"wait\":true,\"", "*", "null",
    ]

    /// Reads a line without its LF.
    private func call(_ line: [UInt8]) throws -> Call {
        try #require(Message(line: line.dropLast())?.single, "\(String(decoding: line, as: UTF8.self))")
    }

    @Test(arguments: lines)
    func aLineIsWrittenAsTheProtocolSays(method: Request.Method, members: String) {
        #expect(
            String(decoding: Request(method).line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":1,\#(members)}"# + "\n")
    }

    @Test(arguments: lines)
    func aLineIsReadAsItsRequestAndAnswered(method: Request.Method, members: String) throws {
        let request = Request(method)
        let call = try call(request.line)
        #expect(call.request == request)
        #expect(call.replyID == "1")
    }

    @Test func theCatalogComesFirst() {
        let line = String(decoding: Request(.tap(TapParameters(app: "a")), of: .name("b")).line, as: UTF8.self)
        #expect(line.hasSuffix(#""method":"tap","params":{"catalog":"b","app":"a"}}"# + "\n"))
    }

    @Test func everyMethodHasItsLine() {
        #expect(Set(Self.lines.map(\.0.description.name)) == Set(MethodTable.all.map(\.name)))
    }

    @Test(arguments: texts)
    func aTextThatIsNoIDIsReadAsItIsShown(text: String) throws {
        let methods: [Request.Method] = [
            .tap(TapParameters(app: text)), .impression(ImpressionParameters(apps: [text, "a", text])),
        ]
        for request in methods.map({ Request($0) }) {
            let read = try #require(try call(request.line).request)
            #expect((read == request) == (AppID.isWellFormed(text) || text == text.printable))
            #expect(try call(read.line).request == read)
            #expect(request.line.isOneLine)
        }
    }

    @Test func aTextThatOnlyLooksLikeAnIDIsNone() throws {
        let request = Request(.tap(TapParameters(app: "book\u{200E}ary")))
        #expect(try call(request.line).request?.method == .tap(TapParameters(app: "bookary…")))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func aRandomRequestComesBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let request = Request.random(using: &generator)
            let read = try #require(try call(request.line).request)
            #expect(read == request)
            #expect(read.line == request.line)
            #expect(request.line.isOneLine)
        }
    }

    @Test(arguments: texts)
    func aLineCanCallAnyMethod(method: String) throws {
        let line = Request.line(method: method) { $0.object { $0.member("a", method) } }
        #expect(line.isOneLine)
        let value = try json(String(decoding: line.dropLast(), as: UTF8.self))
        #expect(value["jsonrpc"]?.string == "2.0")
        #expect(value["id"]?.integer == 1)
        #expect(value["method"]?.isString(method) == true)
        #expect(value["params"]?["a"]?.isString(method) == true)
    }

    @Test func parametersNeedNotBeAnObject() throws {
        let line = Request.line(method: "list") { $0.array { $0.value(1) } }
        #expect(
            String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":1,"method":"list","params":[1]}"# + "\n")
    }
}

extension [UInt8] {
    /// Whether there is one LF, at the end, and no other control byte.
    fileprivate var isOneLine: Bool {
        last == 0x0A && dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
