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

    @Test(arguments: MethodTable.all.map(\.name))
    func aParameterHasTheDescriptionThatARefusalGives(method: String) throws {
        let described = try #require(try OpenRPC().method(method)["params"]).elements
        let types = try #require(MethodTable.method(named: method)).parameters.map(\.words)
        #expect(described.compactMap { $0["description"]?.string } == types)
    }

    @Test(arguments: MethodTable.all)
    func theParametersAreTheMembersOfOneObjectWithoutOthers(method: MethodDescription) throws {
        let document = try OpenRPC()
        let name = try #require(method.parameterObject.components.first?.name)
        let object = try #require(document.resolve("#/components/schemas/\(name)"))
        let parameters = try #require(try document.method(method.name)["params"]).elements.map(\.self)
        #expect(object["properties"]?.members.compactMap(\.name.string) == parameters.compactMap { $0["name"]?.string })
        let required = parameters.filter { $0["required"]?.boolean == true }
        #expect(object["required"]?.elements.compactMap(\.string) == required.compactMap { $0["name"]?.string })
        #expect(object["additionalProperties"]?.boolean == false)
    }

    // MARK: Results

    @Test(arguments: MethodTable.all.map(\.name))
    func aResultHasTheSchemaOfItsMethod(name: String) throws {
        let document = try OpenRPC()
        let result = try #require(try document.method(name)["result"])
        #expect(result["name"]?.string == "result")
        let schema = try document.resolve(#require(result["schema"]?["$ref"]?.string))
        let (_, expected) = try #require(MethodTable.method(named: name)?.result.components.first)
        #expect(schema?["type"]?.string == "object")
        #expect(schema?.text.elementsEqual(written { expected.write(to: &$0) }.utf8) == true)
    }
}
