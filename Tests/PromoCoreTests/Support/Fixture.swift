import FoundationEssentials

/// The files of the repository that tests read.
enum Fixture {
    /// The repository's root, four steps above this file.
    static let repository = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }

    /// The bytes of a file.
    static func file(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(repository)/\(path)")))
    }

    private static let corpus = "Tests/Fuzz/Corpora/catalog"

    /// The names of the catalogs in the corpus, in order, without `.json`. Other inputs there are no whole catalogs.
    static let catalogs: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(repository)/\(corpus)")) ?? []
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    /// The bytes of a catalog in the corpus.
    static func catalog(_ name: String) throws -> [UInt8] { try file("\(corpus)/\(name).json") }
}
