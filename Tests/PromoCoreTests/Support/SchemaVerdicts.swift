import Glibc
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The verdicts of another JSON Schema validator about the fixtures. The validator runs only once.
struct SchemaVerdicts: Sendable {
    /// The fixtures that are JSON, by the path under `Fixtures/catalogs` without `.json`.
    static let names = (["finepocket"] + folder("valid") + folder("invalid")).filter { name in
        switch catalogError(Fixture.catalog(name)) {
        case .json, .html: false
        case .schema, nil: true
        }
    }

    static let schemaPath = "\(Fixture.repository)/packaging/catalog-schema.json"

    private static let run = Run(
        [
            "/usr/bin/python3", "-I", Fixture.path("schema-verdicts.py"), schemaPath, URLFixture.path,
        ] + names.map(path))

    private let document: JSONDocument

    /// The verdicts. If the validator cannot run, the test fails with its output.
    init(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = String(decoding: Self.run.output, as: UTF8.self)
        try #require(Self.run.status == 0, "\(text)", sourceLocation: sourceLocation)
        document = try JSONDocument(Self.run.output, maximumDepth: 3)
    }

    /// Why the schema is not valid; nil if it is.
    var schemaError: String? { document.root["schemaError"]?.string }

    /// Whether a fixture satisfies the schema; nil if it was not checked.
    func catalog(_ name: String) -> Bool? {
        document.root["catalogs"]?[Self.path(name)]?.boolean
    }

    /// Whether an address satisfies the schema; nil if it was not checked.
    func url(_ text: String) -> Bool? {
        document.root["urls"]?[text]?.boolean
    }

    private static func folder(_ name: String) -> [String] {
        Fixture.catalogs(in: name).map { "\(name)/\($0)" }
    }

    private static func path(_ name: String) -> String {
        Fixture.path("catalogs/\(name).json")
    }
}

/// A command that ran to its end.
private struct Run: Sendable {
    /// Its standard output and standard error.
    private(set) var output: [UInt8] = []
    /// Its exit status; 0 for success.
    let status: Int32

    init(_ arguments: [String]) {
        let words = arguments.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
        guard let pipe = popen(words.joined(separator: " ") + " 2>&1", "re") else {
            status = -1
            return
        }
        var buffer = Array(repeating: UInt8(0), count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            output += buffer[..<count]
        }
        status = pclose(pipe)
    }
}
