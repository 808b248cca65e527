import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// A catalog in a file: one that a package brings, served until the first fetch, or the one whose apps the sample has.
struct BundledCatalog: Sendable {
    private var paths: [String]
    /// The source to report for it.
    let source: Freshness.Source
    private let log: CatalogLog
    /// The files as they were when they were last read; nil before.
    private var seen: [[UInt64]?]?
    /// What is wrong in a file that is ignored; nil if nothing is.
    private(set) var problem: String?

    init(paths: [String], source: Freshness.Source, log: CatalogLog) {
        (self.paths, self.source, self.log) = (paths, source, log)
    }

    /// Takes the paths of the files.
    /// - Returns: whether the files have changed since they were last read.
    mutating func renew(_ paths: [String]) -> Bool {
        if paths != self.paths { self = BundledCatalog(paths: paths, source: source, log: log) }
        return versions != seen
    }

    private var versions: [[UInt64]?] { paths.map { stat(of: $0)?.version } }

    /// The catalog in the first file that has a valid one; nil if none has. A bad file is logged and ignored.
    mutating func load() -> HeldCatalog? {
        // Before the files are read, so that a change meanwhile is noticed later.
        (seen, problem) = (versions, nil)
        for path in paths {
            do {
                guard let bytes = try FileReader.read(path, maximumBytes: AppCatalog.maximumBytes) else { continue }
                return try HeldCatalog(bytes, source: source)
            } catch {
                let reason = (error as? CatalogError)?.failure.message ?? "\(error)"
                let problem = "\(path) is ignored: \(reason)"
                log(.dropInIgnored, problem, ["file": "\(path)"])
                self.problem = problem.sentence
            }
        }
        return nil
    }
}
