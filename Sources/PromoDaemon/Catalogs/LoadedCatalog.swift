import Logging
import PromoCore
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

    /// Reads the files of a catalog.
    init(_ catalog: CatalogRoster.Catalog, in directory: PrivateDirectory, _ log: CatalogLog) {
        self.log = log
        store = CatalogStore(directory: directory, log: log)
        // More than the longest message takes.
        scheduleFile = StoredFile(directory: directory, name: "schedule.json", maximumBytes: 16 * 1024)
        icons = IconStore(cache: directory)
        var bundled = BundledCatalog(
            paths: catalog.bundled, source: catalog.isSample ? .sample : .bundled, log: log)
        do { book = try icons.book.read() ?? book } catch {
            log(.iconsForgotten, "The icons are forgotten, and are fetched again when a client asks for them: \(error)")
        }
        held = catalog.isSample ? bundled.load() ?? .sample() : store.load() ?? bundled.load()
        self.bundled = bundled
        do { record = try scheduleFile.read() ?? record } catch {
            log(.scheduleUnreadable, "The refresh schedule is forgotten: \(error)")
        }
    }
}
