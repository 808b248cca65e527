import PromoTestSupport
import PromoWire
import Testing

/// A client reads the results of this promod, of an older and of a newer one, and nothing that is malformed. The results are made from the
/// schemas of the OpenRPC document.
struct ResultTests {
    /// How the result of each method is read and written back.
    static let readers: [String: @Sendable (JSONValue) throws -> [UInt8]] = [
        "list": { value in
            let list = try ListResult(value)
            return Array(written { writer in writer.object { $0.member("error", list.error) } }.utf8)
        },
        "icon": reader(IconResult.init), "tap": reader(TapResult.init), "impression": reader(ImpressionResult.init),
        "launch": reader(LaunchResult.init), "review-eligible": reader(ReviewResult.init),
        "review-request": reader(ReviewResult.init), "review-reset": reader(ReviewResetResult.init),
        "refresh": reader(RefreshResult.init), "clear": reader(ClearResult.init),
        "subscribe": reader(SubscribeResult.init), "status": reader(StatusResult.init),
        "reload": reader(ReloadResult.init),
    ]

    private static func reader<Result: MethodResult>(
        _ read: @escaping @Sendable (JSONValue) throws -> Result
    ) -> @Sendable (JSONValue) throws -> [UInt8] {
        { Array(written(try read($0).write).utf8) }
    }

    private static let methods = MethodTable.all.filter { $0.name != "rpc.discover" }
    private static let newWord = "brand-new"

    private func reader(_ method: MethodDescription) throws -> (JSONValue) throws -> [UInt8] {
        try #require(Self.readers[method.name], "the table lacks the method")
    }

    /// The result of a method, with every member that its schema has.
    private func sample(_ method: MethodDescription, isNewer: Bool = false) throws -> JSONTree {
        let document = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
        let schemas = try #require(document["components"]?["schemas"])
        let description = try #require(
            document["methods"]?.elements.first { $0["name"]?.isString(method.name) == true })
        return Self.sample(of: try #require(description["result"]?["schema"]), schemas, isNewer)
    }

    /// A value that a schema allows; of a newer promod, a new word in each place that allows one.
    private static func sample(of schema: JSONValue, _ schemas: JSONValue, _ isNewer: Bool) -> JSONTree {
        func value(_ schema: JSONValue) -> JSONTree { sample(of: schema, schemas, isNewer) }
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            return schemas[String(reference)].map(value) ?? .null
        }
        if let choice = schema["anyOf"] {
            return isNewer ? .string(newWord) : Array(choice.elements).first.map(value) ?? .null
        }
        if let choice = schema["oneOf"].map({ Array($0.elements) }) {
            // Of a tagline, the object, which a client reads.
            return (choice.first { $0["additionalProperties"] != nil } ?? choice.first).map(value) ?? .null
        }
        if let word = schema["enum"]?.elements.first(where: { _ in true }) { return .string(word.string ?? "") }
        if let members = schema["properties"]?.members {
            return .object(members.map { .init(name: $0.name.string ?? "", value: value($0.value)) })
        }
        if let member = schema["additionalProperties"] { return .object([.init(name: "en", value: value(member))]) }
        if let element = schema["items"] { return .array([value(element)]) }
        let types = schema["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) }
        return switch types?.first {
        case "integer": .number("1")
        case "boolean": .boolean(false)
        case "string" where schema["pattern"]?.string?.hasPrefix("^#") == true: .string("#005f87")
        case "string": .string(schema["format"] == nil ? "s" : "2026-11-21T01:09:00Z")
        default: .null
        }
    }

    @Test(arguments: methods)
    func aWordThatIsNewIsReadAndStaysAsText(method: MethodDescription) throws {
        let (reader, tree) = (try reader(method), try sample(method, isNewer: true))
        let read = try JSONTree(
            JSONDocument(Array("[\(String(decoding: reader(tree.value()), as: UTF8.self))]".utf8), maximumDepth: 64)
                .root)
        let words = tree.paths.filter { tree.value(at: $0) == .string(Self.newWord) }
        for path in words where !["emptyBecause", "subscribed", "language"].contains(path[0]) {
            #expect(read.value(at: ["0"] + path) == .string(Self.newWord), "\(path)")
        }
    }

    @Test(arguments: methods)
    func membersThatAreNewAreIgnored(method: MethodDescription) throws {
        let (reader, tree) = (try reader(method), try sample(method))
        #expect(try reader(tree.withUnknownMembers().value()) == reader(tree.value()))
    }

    /// A review without its verdict, or with reasons that do not fit it, is no answer.
    private static let essential = ["granted", "eligible", "reasons"]

    @Test(arguments: methods)
    func aMemberThatAnOlderPromodDoesNotSendIsNotMissed(method: MethodDescription) throws {
        let (reader, tree) = (try reader(method), try sample(method))
        for path in tree.paths where !Self.essential.contains(path.last ?? "") {
            guard case .object(let members)? = tree.value(at: path.dropLast()) else { continue }
            // An object is known by its first member.
            guard members.first?.name != path.last else { continue }
            let older = try #require(tree.replacing(path, with: nil))
            #expect(throws: Never.self, "\(path)") { try reader(older.value()) }
        }
    }

    /// Members that follow from others, so that they are not read.
    private static let derived = ["presentation", "eligible", "granted", "protocol", "language", "name", "categories"]
    /// Those of which a client reads nothing.
    private static let constant = ["clear", "reload"]

    /// Returns the member that a reader reports as wrong; nil if it reads the tree.
    private func malformed(_ reader: (JSONValue) throws -> [UInt8], _ tree: JSONTree) throws -> String? {
        do {
            _ = try reader(tree.value())
            return nil
        } catch let error as MalformedResult {
            return error.member
        }
    }

    @Test(arguments: methods.filter { !constant.contains($0.name) })
    func aMemberOfAnotherKindIsNamed(method: MethodDescription) throws {
        let (reader, tree) = (try reader(method), try sample(method))
        for path in tree.paths {
            let name = String(try #require(path.last))
            guard Int(name) == nil, Self.derived.allSatisfy({ !path.contains($0) }), tree.value(at: path) != .null
            else { continue }
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
                #expect(try malformed(reader, #require(tree.replacing(path, with: value))) == name, "\(path) \(value)")
            }
        }
        for text in ["[]", "null", "1", #""list""#, "{}"] {
            #expect(try malformed(reader, JSONTree(json(text))) != nil)
        }
    }

    @Test(arguments: methods.filter { !(constant + ["list"]).contains($0.name) })
    func whatIsReadIsWrittenBack(method: MethodDescription) throws {
        let (reader, tree) = (try reader(method), try sample(method))
        // A tap with a message is offline.
        let text = String(decoding: tree.json, as: UTF8.self).replacing(#"on":"store""#, with: #"on":"offline""#)
        #expect(String(decoding: try reader(tree.value()), as: UTF8.self) == text)
    }

    @Test(arguments: [
        (#""granted":true,"reasons":["yearly-limit"]"#, "reasons"), (#""granted":false,"reasons":[]"#, "reasons"),
        (#""eligible":null,"reasons":[]"#, "eligible"), (#""granted":1,"reasons":[]"#, "granted"),
        (#""reasons":[]"#, "granted"), (#""granted":false,"reasons":[1]"#, "reasons"),
    ])
    func aReviewOfAnotherFormIsRefused(members: String, member: String) throws {
        let error = #expect(throws: MalformedResult.self) { try ReviewResult(try json(#"{"app":"a",\#(members)}"#)) }
        #expect(error?.member == member)
        #expect(error?.description.contains("\"\(member)\"") == true)
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
