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
}
