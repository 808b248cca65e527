import PromoWire
import Testing

/// The table of methods.
struct MethodTableTests {
    @Test func aMethodIsFoundByItsName() {
        for method in MethodTable.all { #expect(MethodTable.method(named: method.name)?.name == method.name) }
        #expect(MethodTable.method(named: "nothing") == nil)
        #expect(MethodTable.method(named: "") == nil)
    }

    @Test func noTwoMethodsShareAName() {
        #expect(Set(MethodTable.all.map(\.name)).count == MethodTable.all.count)
    }

    @Test(arguments: MethodTable.all.map(\.name))
    func noTwoParametersOfAMethodShareAName(name: String) throws {
        let names = try #require(MethodTable.method(named: name)).parameters.map(\.name)
        #expect(Set(names).count == names.count)
    }

    private static let signatures: [(String, [String], [String])] = [
        ("list", ["host", "language", "limit", "wait", "exclude", "unlaunched", "icons", "catalog"], []),
        ("icon", ["app", "catalog"], ["app"]),
        ("tap", ["app", "host", "language", "catalog"], ["app"]),
        ("impression", ["apps", "host", "catalog"], ["apps"]), ("launch", ["app"], ["app"]),
        ("review-eligible", ["app", "completed", "page", "appStoreID", "needsPage", "catalog"], ["app", "completed"]),
        ("review-request", ["app", "completed", "page", "appStoreID", "needsPage", "catalog"], ["app", "completed"]),
        ("review-reset", ["app"], ["app"]), ("refresh", ["wait", "accept", "catalog"], []),
        ("clear", ["catalog"], []),
        ("status", [], []), ("reload", [], []), ("diagnose", ["caFile"], []),
        ("subscribe", ["events", "host", "since", "epoch", "catalog"], []), ("rpc.discover", [], []),
    ]

    @Test(arguments: signatures)
    func aMethodTakesWhatTheProtocolSays(name: String, parameters: [String], required: [String]) throws {
        let method = try #require(MethodTable.method(named: name))
        #expect(method.parameters.map(\.name) == parameters)
        #expect(method.parameters.filter(\.isRequired).map(\.name) == required)
    }

    @Test func thereAreNoOtherMethods() {
        #expect(MethodTable.all.map(\.name).sorted() == Self.signatures.map(\.0).sorted())
    }
}
