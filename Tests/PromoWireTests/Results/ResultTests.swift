import PromoTestSupport
import PromoWire
import Testing

/// A client reads what the daemon wrote, and nothing that is malformed. The fuzzer's target `reply` reads other results.
struct ResultTests {
    /// A result with all its members, as it is written, except that of `list`, which is made of prepared rows.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        /// Reads a value, and writes what was read; nil if it is not written.
        let reread: @Sendable (JSONValue) throws -> String?

        init<Result: MethodResult>(
            _ name: String, _ text: String, _ read: @escaping @Sendable (JSONValue) throws -> Result
        ) {
            (testDescription, self.text) = (name, text)
            reread = { written(try read($0).write) }
        }

        init(list text: String) {
            (testDescription, self.text) = ("list", text)
            reread = {
                _ = try ListResult($0); return nil
            }
        }
    }

    private static let time = #""2026-11-21T01:09:00Z""#
    private static let freshness =
        #""state":"fresh","source":"origin","generation":"5e3a","fetchedAt":\#(time),"expiresAt":\#(time)"#

    private static let samples = [
        Sample(
            list:
                #"{\#(freshness),"canRetry":false,"retryAt":\#(time),"hostKnown":true,"language":null,"apps":[{"id":"a","#
                + #""name":"A","appStoreID":"1","iconURL":"https://a/","category":"c","tagline":{"en":"e","ko":"k"},"storeURL":"s"}]}"#
        ),
        Sample("tap", #"{"app":"a\"\n","appStoreID":"1","presentation":"store","storeURL":"s"}"#, TapResult.init),
        Sample(
            "tap, offline", #"{"app":"a","appStoreID":null,"presentation":"offline","message":"다시","storeURL":"s"}"#,
            TapResult.init),
        Sample("launch", #"{"app":"a","firstLaunch":\#(time),"recorded":true}"#, LaunchResult.init),
        Sample("review-eligible", #"{"app":"a","eligible":true,"reasons":[],"eligibleAt":null}"#, ReviewResult.init),
        Sample(
            "review-eligible, refused",
            #"{"app":"a","eligible":false,"reasons":["yearly-limit","no-page"],"eligibleAt":\#(time),"completionsNeeded":3}"#,
            ReviewResult.init),
        Sample(
            "review-request",
            #"{"app":"a","granted":true,"reasons":[],"eligibleAt":\#(time),"reviewURL":"https://a/"}"#,
            ReviewResult.init),
        Sample(
            "review-request, refused",
            #"{"app":"a","granted":false,"reasons":["never-launched"],"eligibleAt":null,"reviewURL":null,"advice":"Do it."}"#,
            ReviewResult.init),
        Sample(
            "refresh",
            #"{"outcome":"failed","generation":"5e3a","error":{"code":"tls","message":"503"},"retryAt":\#(time)}"#,
            RefreshResult.init),
        Sample(
            "refresh, updated", #"{"outcome":"updated","generation":null,"error":null,"retryAt":null}"#,
            RefreshResult.init),
        Sample("subscribe", #"{"subscribed":["tap","catalog"],"epoch":"e","since":41}"#, SubscribeResult.init),
        Sample(
            "status",
            #"{"version":"1.2.3","protocol":1,"pid":77,"startedAt":\#(time),"epoch":"e","online":true,"#
                + #""problems":[{"code":"dns","subject":"s","text":"T.","advice":"A.","since":\#(time),"catalog":"default"}],"#
                + #""catalogs":[{"name":"default","names":["default","b"],"file":"/f","fileID":"1:2","url":"https://a/",\#(freshness),"apps":5,"nextAt":\#(time),"#
                + #""nextReason":"expiry","attempts":4,"failures":3,"lastAttemptAt":\#(time),"lastOutcome":"failed","#
                + #""lastError":"tls","refreshing":false}],"socket":{"path":"/s","connections":4,"subscribers":2},"#
                + #""requests":{"list":12,"tap":1}}"#, StatusResult.init),
    ]

    @Test(arguments: samples)
    func aResultIsReadAndWrittenBackAndUnknownMembersAreIgnored(sample: Sample) throws {
        let value = try json(sample.text)
        let plain = try sample.reread(value)
        if let plain, sample.testDescription != "status" { #expect(plain == sample.text) }
        #expect(try sample.reread(JSONTree(value).withUnknownMembers().value()) == plain)
    }

    /// Members that follow from others, so that they are not read.
    private static let derived = ["presentation", "eligible", "granted", "protocol", "language", "name"]

    /// Returns the member that a reader reports as wrong; nil if it reads the tree.
    private func malformed(_ sample: Sample, _ tree: JSONTree) throws -> String? {
        do {
            _ = try sample.reread(tree.value())
            return nil
        } catch let error as MalformedResult {
            return error.member
        }
    }

    @Test(arguments: samples)
    func aMemberOfAnotherKindIsNamed(sample: Sample) throws {
        let tree = JSONTree(try json(sample.text))
        for path in tree.paths {
            let name = String(try #require(path.last))
            guard Int(name) == nil, !Self.derived.contains(name), tree.value(at: path) != .null else { continue }
            // A count of a method that the client does not know is left out.
            if path.first == "requests", path.count > 1 { continue }
            let wrong: [JSONTree] =
                switch tree.value(at: path) {
                case .string(let text): [.number("1"), .array([])] + (text.hasSuffix("00Z") ? [.string("soon")] : [])
                case .number: [.string("1"), .number("1.5"), .number("9223372036854775808")]
                case .boolean: [.number("0"), .string("true")]
                case .array: [.object([]), .string("x")]
                default: [.array([]), .boolean(true)]
                }
            for value in wrong {
                #expect(try malformed(sample, #require(tree.replacing(path, with: value))) == name, "\(path)")
            }
        }
        for text in ["[]", "null", "1", #""list""#, "{}"] {
            #expect(try malformed(sample, JSONTree(json(text))) != nil)
        }
    }

    @Test(arguments: [
        (#""granted":true,"reasons":["yearly-limit"]"#, "reasons"), (#""granted":false,"reasons":[]"#, "reasons"),
        (#""eligible":null,"reasons":[]"#, "eligible"), (#""granted":1,"reasons":[]"#, "granted"),
        (#""reasons":[]"#, "granted"), (#""granted":false,"reasons":[1]"#, "reasons"),
    ])
    func aReviewOfAnotherFormIsRefused(members: String, member: String) throws {
        let error = #expect(throws: MalformedResult.self) { try ReviewResult(try json(#"{"app":"a",\#(members)}"#)) }
        #expect(error?.member == member && error?.description.contains("\"\(member)\"") == true)
    }

    /// Who waits until a time has not come too early.
    @Test(arguments: [(0, "08:00:00"), (1, "08:00:01"), (999, "08:00:01"), (1000, "08:00:01")])
    func aTimeToWaitForIsRoundedUp(milliseconds: Int64, text: String) {
        let time = Timestamp(milliseconds: 1_800_000_000_000 + milliseconds)
        var review = ReviewResult()
        review.eligibleAt = time
        #expect(written(review.write).contains("\"eligibleAt\":\"2027-01-15T\(text)Z\""))
        let refresh = RefreshResult(outcome: .failed, generation: nil, retryAt: time)
        #expect(written(refresh.write).contains("\"retryAt\":\"2027-01-15T\(text)Z\""))
    }
}
