import PromoTestSupport
import PromoWire
import Testing

/// The methods in the OpenRPC document.
struct OpenRPCMethodTests {
    @Test func theMethodsAreThoseOfTheTableInItsOrder() throws {
        #expect(try OpenRPC().methods.compactMap { $0["name"]?.string } == MethodTable.all.map(\.name))
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func aMethodHasAllItsMembers(name: String) throws {
        let method = try OpenRPC().method(name)
        let members = ["name", "summary", "paramStructure", "params", "result", "errors"]
        #expect(method.members.compactMap(\.name.string) == members)
        #expect(method["summary"]?.string == MethodTable.method(named: name)?.summary)
        #expect(method["summary"]?.string?.hasSuffix(".") == true)
        #expect(method["paramStructure"]?.string == "by-name")
    }

    // MARK: Parameters

    private static let string = #"{"type":"string"}"#
    private static let boolean = #"{"type":"boolean"}"#
    private static let count = #"{"type":"integer","minimum":0}"#
    private static let appID = #"{"type":"string","pattern":"^[a-z0-9-]{1,255}$"}"#
    private static let storeNumber = #"{"type":"string","pattern":"^[0-9]{1,32}$"}"#
    private static let address = #"{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]://","maxLength":8192}"#
    private static let catalog =
        #"{"type":"string","pattern":"^([a-z0-9-]{1,64}|[Hh][Tt][Tt][Pp][Ss]://.+)$"}"#
    private static let parameters: [(String, String, Bool, String)] = [
        ("list", "host", false, appID), ("list", "language", false, string),
        ("list", "limit", false, #"{"type":"integer","minimum":1}"#), ("list", "wait", false, boolean),
        ("list", "exclude", false, #"{"type":"array","maxItems":100,"items":{"type":"string"}}"#),
        ("list", "unlaunched", false, boolean),
        ("list", "icons", false, boolean),
        ("list", "catalog", false, catalog), ("icon", "app", true, string), ("icon", "catalog", false, catalog),
        ("tap", "app", true, string), ("tap", "host", false, appID), ("tap", "language", false, string),
        ("tap", "catalog", false, catalog),
        ("impression", "apps", true, #"{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string"}}"#),
        ("impression", "host", false, appID), ("impression", "catalog", false, catalog),
        ("launch", "app", true, appID),
        ("review-eligible", "app", true, appID), ("review-eligible", "completed", true, count),
        ("review-eligible", "page", false, address),
        ("review-eligible", "appStoreID", false, storeNumber), ("review-eligible", "needsPage", false, boolean),
        ("review-eligible", "catalog", false, catalog),
        ("review-request", "app", true, appID), ("review-request", "completed", true, count),
        ("review-request", "page", false, address),
        ("review-request", "appStoreID", false, storeNumber), ("review-request", "needsPage", false, boolean),
        ("review-request", "catalog", false, catalog),
        ("review-reset", "app", true, appID),
        ("refresh", "wait", false, boolean), ("refresh", "accept", false, boolean),
        ("refresh", "catalog", false, catalog), ("clear", "catalog", false, catalog),
        (
            "subscribe", "events", false,
            #"{"type":"array","minItems":1,"items":{"type":"string","enum":["impression","tap","catalog","icons"]}}"#
        ),
        ("subscribe", "host", false, appID), ("subscribe", "since", false, count),
        ("subscribe", "epoch", false, string), ("subscribe", "catalog", false, catalog),
        ("diagnose", "caFile", false, #"{"type":"string","pattern":"^/","maxLength":4096}"#),
    ]

    @Test(arguments: MethodTable.all.map(\.name))
    func aMethodHasItsParametersAndNoOthers(method: String) throws {
        let described = try #require(try OpenRPC().method(method)["params"]).elements
        let expected = Self.parameters.filter { $0.0 == method }
        #expect(described.compactMap { $0["name"]?.string } == expected.map(\.1))
        for (parameter, (_, name, isRequired, schema)) in zip(described, expected) {
            #expect(parameter["required"]?.boolean == isRequired, "\(name)")
            #expect(parameter["schema"].map(JSONTree.init) == JSONTree(try json(schema)), "\(name)")
        }
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func aParameterHasTheDescriptionThatARefusalGives(method: String) throws {
        let described = try #require(try OpenRPC().method(method)["params"]).elements
        let types = try #require(MethodTable.method(named: method)).parameters.map(\.words)
        #expect(described.compactMap { $0["description"]?.string } == types)
    }

    // MARK: Results

    @Test(arguments: MethodTable.all.map(\.name))
    func aResultHasTheSchemaOfItsMethod(name: String) throws {
        let document = try OpenRPC()
        let result = try #require(try document.method(name)["result"])
        #expect(result["name"]?.string == "result")
        let schema = try document.resolve(#require(result["schema"]?["$ref"]?.string))
        let (title, expected) = try #require(MethodTable.method(named: name)?.result.components.first)
        #expect(schema?["type"]?.string == "object")
        #expect(schema?.text.elementsEqual(written { expected.write(to: &$0, title: title) }.utf8) == true)
    }

    // MARK: Errors

    private static let errors: [(String, [String])] = [
        ("list", []), ("icon", ["unknown-app", "no-catalog"]), ("tap", ["unknown-app", "no-catalog"]),
        ("impression", ["unknown-app", "no-catalog"]),
        ("launch", ["not-stored"]), ("review-eligible", ["not-stored"]), ("review-request", ["not-stored"]),
        ("review-reset", ["not-stored"]),
        ("refresh", ["no-origin"]), ("clear", ["not-stored"]), ("subscribe", []), ("status", []),
        ("reload", ["bad-configuration"]), ("diagnose", []), ("rpc.discover", []),
    ]

    @Test(arguments: errors)
    func aMethodHasTheErrorsThatItMayAnswer(name: String, own: [String]) throws {
        let document = try OpenRPC()
        let described = try #require(try document.method(name)["errors"]).elements
        let takesCatalog = Self.parameters.contains { $0.0 == name && $0.1 == "catalog" }
        let reasons = own + ["invalid-params", "internal", "busy"] + (takesCatalog ? ["unknown-catalog"] : [])
        let expected = ErrorReason.allCases.map(\.rawValue).filter(reasons.contains)
        #expect(described.compactMap { $0["data"]?["reason"]?.string } == expected)
        for (error, reason) in zip(described, expected) {
            #expect(error.text == document.resolve("#/components/errors/\(reason)")?.text, "\(reason)")
        }
        #expect(MethodTable.method(named: name)?.errors.map(\.rawValue) == expected)
    }

    @Test func theErrorsOfEveryMethodAreExpected() {
        #expect(Self.errors.map(\.0).sorted() == MethodTable.all.map(\.name).sorted())
    }
}
