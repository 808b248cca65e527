import PromoCore
import PromoWire

/// The file with the record of a catalog's schedule.
struct ScheduleStore {
    private let file: StoredFile<RefreshSchedule.Record>
    private var saved: RefreshSchedule.Record?
    private var reported: SystemError?

    init(directory: PrivateDirectory) {
        // More than the longest message takes.
        file = StoredFile(directory: directory, name: "schedule.json", maximumBytes: 16 * 1024)
    }

    /// The record in the file; nil if there is none.
    mutating func load() throws(StoredFile<RefreshSchedule.Record>.Problem) -> RefreshSchedule.Record? {
        saved = try file.read()
        return saved
    }

    /// Writes the record if it has changed.
    /// - Returns: the error if the disk refused, unless it is the same as the last time.
    mutating func save(_ record: RefreshSchedule.Record) -> SystemError? {
        guard record != saved ?? RefreshSchedule.Record() else { return nil }
        do {
            try file.replace(with: record)
            (saved, reported) = (record, nil)
            return nil
        } catch {
            defer { reported = error }
            return error == reported ? nil : error
        }
    }
}
