import PromoCore
import PromoWire

/// The schedules in memory and on disk, which is written when something has changed.
struct ScheduleStore {
    private let file: ScheduleFile
    private var book = ScheduleBook()
    private var saved = ScheduleBook()

    init(directory: PrivateDirectory) {
        file = ScheduleFile(directory: directory)
    }

    /// Reads what the last daemon left; why it could not be used, if it is there and could not.
    mutating func load() -> String? {
        let (book, problem) = file.read()
        (self.book, saved) = (book, book)
        return problem
    }

    /// What is remembered of the origin, or of the last one if none is known because the configuration is broken.
    func schedule(of assignment: CatalogRefresher.Assignment) -> RefreshSchedule {
        if assignment.isUnknown { return book.schedules.first ?? RefreshSchedule() }
        return assignment.url.map { book.schedule(of: $0.normalized) } ?? RefreshSchedule()
    }

    /// Remembers an origin's schedule; a daemon that fetches from none keeps nothing.
    mutating func keep(_ schedule: RefreshSchedule, of url: String?) {
        if let url { book.keep(schedule, of: url) }
    }

    /// Writes what has changed; why not, if the disk refused.
    mutating func save() -> SystemError? {
        guard book != saved else { return nil }
        do {
            try file.replace(with: book)
            saved = book
            return nil
        } catch {
            return error
        }
    }
}
