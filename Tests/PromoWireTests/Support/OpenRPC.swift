import PromoWire
import Testing

/// The OpenRPC document as a client reads it.
struct OpenRPC {
    let root: JSONValue

    init() throws {
        root = try JSONDocument(OpenRPCDocument.json, maximumDepth: 64).root
    }

    var methods: [JSONValue] { root["methods"].map { Array($0.elements) } ?? [] }

    /// The description of a method.
    func method(_ name: String) throws -> JSONValue {
        try #require(methods.first { $0["name"]?.isString(name) == true }, "\(name)")
    }

    /// The value that a reference such as `#/components/errors/busy` refers to; nil if there is none.
    func resolve(_ reference: String) -> JSONValue? {
        let steps = reference.split(separator: "/")
        guard steps.first == "#" else { return nil }
        return steps.dropFirst().reduce(root) { $0?[String($1)] }
    }
}
