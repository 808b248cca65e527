import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// What earlier releases of protocol 1 promise, of which `Tests/Compatibility` has a directory for each, holds.
struct CompatibilityTests {
    /// The directories of the releases.
    private static let releases: [URL] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let all = try? FileManager.default.contentsOfDirectory(
            at: tests.appending(path: "Compatibility"), includingPropertiesForKeys: nil)
        return (all ?? []).filter(\.hasDirectoryPath)
    }()

    @Test func thereIsARelease() { #expect(!Self.releases.isEmpty) }

    @Test(arguments: releases)
    func noPromiseOfADocumentIsMissingAndNothingMoreIsAskedOfACaller(release: URL) throws {
        let old = try Promises(Data(contentsOf: release.appending(path: "openrpc.json")))
        let new = try Promises(Data(OpenRPCDocument.json))
        #expect(old.given.count > 300)
        #expect(old.given.subtracting(new.given).sorted() == [])
        #expect(new.asked.subtracting(old.asked).sorted() == [])
    }

    @Test(arguments: releases)
    func aClientReadsTheResultsThatItSent(release: URL) throws {
        let lines = try String(contentsOf: release.appending(path: "results.jsonl"), encoding: .utf8)
        var methods: Set<String> = []
        for line in lines.split(separator: "\n") {
            let root = try JSONDocument(Array(line.utf8), maximumDepth: 64).root
            let (method, result) = (root["method"]?.string ?? "", try #require(root["result"]))
            let read = try #require(ResultTests.readers[method])
            #expect(throws: Never.self, "\(line)") { try read(result) }
            methods.insert(method)
        }
        #expect(methods == Set(ResultTests.readers.keys))
    }
}

/// What a document promises, in words, so that what a later one lacks has a name.
private struct Promises {
    /// What a caller may send, and what it gets.
    private(set) var given: Set<String> = []
    /// What a caller has to send.
    private(set) var asked: Set<String> = []
    private let schemas: [String: Any]

    init(_ document: Data) throws {
        let root = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        schemas = try #require((root["components"] as? [String: Any])?["schemas"] as? [String: Any])
        for method in root["methods"] as? [[String: Any]] ?? [] {
            let name = method["name"] as? String ?? ""
            for parameter in method["params"] as? [[String: Any]] ?? [] {
                let place = "\(name)(\(parameter["name"] ?? ""))"
                if parameter["required"] as? Bool == true { asked.insert("\(place) is required") }
                add(parameter["schema"], at: place, isResult: false)
            }
            add((method["result"] as? [String: Any])?["schema"], at: name, isResult: true)
            for error in method["errors"] as? [[String: Any]] ?? [] {
                let reason = (error["data"] as? [String: Any])?["reason"] ?? ""
                given.insert("\(name) refuses with \(error["code"] ?? "") \(reason)")
            }
        }
        for event in root["x-events"] as? [[String: Any]] ?? [] {
            add(event["params"], at: "event \(event["name"] ?? "")", isResult: true)
        }
    }

    private mutating func add(_ schema: Any?, at place: String, isResult: Bool) {
        guard var schema = schema as? [String: Any] else { return }
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
            schema = schemas[String(name)] as? [String: Any] ?? [:]
        }
        for key in ["type", "format", "pattern", "const", "minimum", "minItems", "maxItems", "maxLength"] {
            if let value = schema[key] { given.insert("\(place) has \(key) \(value)") }
        }
        if let words = schema["enum"] as? [String] {
            // A caller need not know others, unless the schema allows any string beside them.
            if isResult, !place.hasSuffix(" or") { given.insert("\(place) is one of \(words.joined(separator: ", "))") }
            for word in words { given.insert("\(place) may be \(word)") }
        }
        for choice in schema["anyOf"] as? [Any] ?? [] { add(choice, at: "\(place) or", isResult: isResult) }
        for choice in schema["oneOf"] as? [Any] ?? [] { add(choice, at: place, isResult: isResult) }
        let required = schema["required"] as? [String] ?? []
        for (name, member) in schema["properties"] as? [String: Any] ?? [:] {
            if isResult, required.contains(name) { given.insert("\(place).\(name) is always there") }
            add(member, at: "\(place).\(name)", isResult: isResult)
        }
        add(schema["items"], at: "\(place)[]", isResult: isResult)
        add(schema["additionalProperties"], at: "\(place).*", isResult: isResult)
    }
}
