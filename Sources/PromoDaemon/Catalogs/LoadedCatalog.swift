import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire

/// What a refresher begins with: a catalog as it is on disk.
struct LoadedCatalog: Sendable {
    let log: CatalogLog
    let store: CatalogStore
    let scheduleFile: StoredFile<RefreshSchedule.Record>
    let icons: IconStore
    let bundled: BundledCatalog
    let held: HeldCatalog?
    private(set) var record = RefreshSchedule.Record()
    private(set) var book = IconBook()
    private(set) var findings = CatalogStore.Findings()

    /// Reads the files of a catalog.
    /// - Parameter languages: those in which its lists are made.
    init(
        _ catalog: CatalogRoster.Catalog, in directory: PrivateDirectory, _ languages: Set<TaglineLanguage>,
        _ log: CatalogLog
    ) {
        self.log = log
        store = CatalogStore(directory: directory)
        // More than the longest message takes.
        scheduleFile = StoredFile(directory: directory, name: "schedule.json", maximumBytes: 16 * 1024)
        icons = IconStore(cache: directory)
        var bundled = BundledCatalog(paths: catalog.bundled, source: catalog.isSample ? .file : .bundled)
        do { book = try icons.book.read() ?? book } catch {
            log(.iconsForgotten, "The icons are forgotten, and are fetched again when a client asks for them: \(error)")
        }
        var held = catalog.isSample ? bundled.load(log) ?? .sample() : store.load(&findings, log) ?? bundled.load(log)
        held?.catalog.makeLists(in: languages)
        self.held = held
        self.bundled = bundled
        do { record = try scheduleFile.read() ?? record } catch {
            log(.scheduleUnreadable, "The refresh schedule is forgotten: \(error)")
        }
    }
}

/// A catalog in a file: one that a package brings, served until the first fetch, or the one whose apps the sample has.
struct BundledCatalog: Sendable {
    private var paths: [String]
    /// The source to report for it.
    let source: Freshness.Source
    /// The files as they were when they were last read; nil before.
    private var seen: [[UInt64]?]?
    /// A file that is ignored, and why; nil if none is.
    private(set) var problem: (file: String, text: String)?

    init(paths: [String], source: Freshness.Source) {
        (self.paths, self.source) = (paths, source)
    }

    /// Takes the paths of the files.
    /// - Returns: whether the files have changed since they were last read.
    mutating func renew(_ paths: [String]) -> Bool {
        if paths != self.paths { self = BundledCatalog(paths: paths, source: source) }
        return versions != seen
    }

    private var versions: [[UInt64]?] { paths.map { stat(of: $0)?.version } }

    /// The catalog in the first file that has a valid one; nil if none has. A bad file is logged and ignored.
    mutating func load(_ log: CatalogLog) -> HeldCatalog? {
        // Before the files are read, so that a change meanwhile is noticed later.
        (seen, problem) = (versions, nil)
        for path in paths {
            do {
                guard let bytes = try FileReader.read(path, maximumBytes: AppCatalog.maximumBytes) else { continue }
                return try HeldCatalog(bytes, source: source)
            } catch {
                let reason = (error as? CatalogError)?.failure.message ?? "\(error)"
                let text = "\(path) is ignored: \(reason)"
                log(.dropInIgnored, text, ["file": "\(path)"])
                problem = (path, text.sentence)
            }
        }
        return nil
    }
}
