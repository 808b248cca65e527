import PromoWire
import Testing

/// The schemas that `rpc.discover` gives for what the methods answer.
struct ResultSchema {
    private let schema: JSONValue

    /// The schema of a method's result, from the document as it is answered.
    init(_ method: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let document = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
        let found = document["methods"]?.elements.first { $0["name"]?.isString(method) == true }
        schema = try #require(found?["result"]?["schema"], "\(method)", sourceLocation: sourceLocation)
    }

    /// What a result has that the schema does not name, and what it lacks.
    func findings(_ result: some MethodResult) throws -> [String] {
        var writer = JSONWriter()
        result.write(to: &writer)
        return SchemaCheck(try JSONDocument(writer.bytes, maximumDepth: 64).root, schema).findings
    }

    /// What the result of a reply has that the schema does not name, and what it lacks.
    func findings(_ reply: Desk.Reply, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        let root = try JSONDocument(reply.bytes, maximumDepth: 64).root
        let text = String(decoding: reply.bytes, as: UTF8.self)
        let result = try #require(root["result"], "\(text)", sourceLocation: sourceLocation)
        return SchemaCheck(result, schema).findings
    }
}
