import PromoCore
import PromoWire

extension StoredFile<ScheduleBook> {
    static func schedules(in cache: PrivateDirectory) -> Self {
        // More than eight origins take, even with the longest addresses and messages.
        Self(directory: cache, name: "schedule.json", maximumBytes: 256 * 1024)
    }
}

/// The refresh schedules, in memory and in a file.
struct ScheduleStore {
    private let file: StoredFile<ScheduleBook>
    private var book = ScheduleBook()
    private var saved = ScheduleBook()
    private var reported: SystemError?

    init(directory: PrivateDirectory) {
        file = .schedules(in: directory)
    }

    /// Reads the file; the book is empty if there is none, or if it cannot be used.
    mutating func load() throws(StoredFile<ScheduleBook>.Problem) {
        (book, saved) = (ScheduleBook(), ScheduleBook())
        book = try file.read() ?? book
        saved = book
    }

    /// The schedule of the origin; if a broken configuration hides its address, the schedule of the latest one.
    func schedule(of assignment: CatalogRefresher.Assignment) -> RefreshSchedule {
        if assignment.isUnknown { return book.schedules.first ?? RefreshSchedule() }
        return assignment.url.map { book.schedule(of: $0.normalized) } ?? RefreshSchedule()
    }

    /// The address of the origin that was configured last.
    var lastURL: HTTPSURL? { book.schedules.first?.url.flatMap(HTTPSURL.init) }

    /// Keeps an origin's schedule; does nothing without an origin.
    mutating func keep(_ schedule: RefreshSchedule, of url: String?) {
        if let url { book.keep(schedule, of: url) }
    }

    /// Takes over the schedule that another name has for the address, if its last attempt is later.
    mutating func adopt(_ schedule: RefreshSchedule) {
        guard let url = schedule.url, book.schedule(of: url).isOlder(than: schedule) else { return }
        book.keep(schedule, of: url)
    }

    mutating func clockSet(by step: Duration) {
        book.clockSet(by: step)
    }

    /// Writes the file if the book has changed.
    /// - Returns: the error if the disk refused, unless it is the same as the last time.
    mutating func save() -> SystemError? {
        guard book != saved else { return nil }
        do {
            try file.replace(with: book)
            (saved, reported) = (book, nil)
            return nil
        } catch {
            defer { reported = error }
            return error == reported ? nil : error
        }
    }
}
