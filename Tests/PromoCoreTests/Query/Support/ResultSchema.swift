import PromoWire
import Testing

/// The schemas of results and events that `rpc.discover` returns.
struct ResultSchema {
    private let schema: JSONValue
    private let document: JSONValue

    /// The schema of a method's result, from the OpenRPC document.
    init(_ method: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        document = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
        let found = document["methods"]?.elements.first { $0["name"]?.isString(method) == true }
        schema = try #require(found?["result"]?["schema"], "\(method)", sourceLocation: sourceLocation)
    }

    /// The schema of the `params` of an event.
    init(event: String) throws {
        document = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
        let found = document["x-events"]?.elements.first { $0["name"]?.isString(event) == true }
        schema = try #require(found?["params"], "\(event)")
    }

    /// The differences between the line of an event and the schema.
    func findings(line: [UInt8]) throws -> [String] {
        let root = try JSONDocument(line, maximumDepth: 64).root
        return SchemaCheck(try #require(root["params"]), schema, in: document).findings
    }

    /// The differences between a result and the schema.
    func findings(_ result: some MethodResult) throws -> [String] {
        var writer = JSONWriter()
        result.write(to: &writer)
        return SchemaCheck(try JSONDocument(writer.bytes, maximumDepth: 64).root, schema, in: document).findings
    }

    /// The differences between the result of a reply and the schema.
    func findings(_ reply: Desk.Reply, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        let root = try JSONDocument(reply.bytes, maximumDepth: 64).root
        let text = String(decoding: reply.bytes, as: UTF8.self)
        let result = try #require(root["result"], "\(text)", sourceLocation: sourceLocation)
        return SchemaCheck(result, schema, in: document).findings
    }
}
