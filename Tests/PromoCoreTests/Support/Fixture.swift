import FoundationEssentials

/// The files beside these tests, and those of the repository.
enum Fixture {
    /// The repository's root, four steps above this file.
    static let repository = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }

    /// The path of a file under `Fixtures`.
    static func path(_ name: String) -> String {
        "\(repository)/Tests/PromoCoreTests/Fixtures/\(name)"
    }

    /// The bytes of a file under `Fixtures`. It is a bug of the tests if there is no such file.
    static func bytes(_ name: String) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path(name)) else {
            fatalError("No fixture at \(path(name))")
        }
        return Array(data)
    }

    private static let corpus = "\(repository)/Tests/Fuzz/Corpora/catalog"

    /// The names of the catalogs in the corpus, in order, without `.json`. Other inputs there are no whole catalogs.
    static let catalogs: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: corpus)) ?? []
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    /// The bytes of a catalog in the corpus.
    static func catalog(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(corpus)/\(name).json") ?? Data())
    }
}
