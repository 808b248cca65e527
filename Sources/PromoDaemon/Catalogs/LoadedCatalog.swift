import Logging
import PromoCore

/// What a refresher begins with: a catalog as it is on disk.
struct LoadedCatalog: Sendable {
    let log: CatalogLog
    let store: CatalogStore
    let scheduleFile: StoredFile<RefreshSchedule.Record>
    let icons: IconStore
    var bundled: BundledCatalog
    var held: HeldCatalog?
    var record = RefreshSchedule.Record()
    var book = IconBook()

    /// The files of a catalog, which are not read.
    init(in directory: PrivateDirectory, bundled: [String], _ log: CatalogLog) {
        self.log = log
        store = CatalogStore(directory: directory, log: log)
        // More than the longest message takes.
        scheduleFile = StoredFile(directory: directory, name: "schedule.json", maximumBytes: 16 * 1024)
        icons = IconStore(cache: directory)
        self.bundled = BundledCatalog(paths: bundled, log: log)
    }

    /// Reads the files.
    mutating func read(isSample: Bool) {
        do { book = try icons.read() ?? IconBook() } catch { log.iconsForgotten(error) }
        held = isSample ? .sample() : store.load() ?? bundled.load()
        do { record = try scheduleFile.read() ?? record } catch {
            log(.scheduleUnreadable, "The refresh schedule is forgotten: \(error)")
        }
    }
}
