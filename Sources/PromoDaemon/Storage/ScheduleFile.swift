import PromoCore

/// The file of the refresh schedules.
struct ScheduleFile: Sendable {
    private static let name = "schedule.json"
    /// More than the schedules of all origins take, even with the longest addresses and messages.
    private static let maximumBytes = 256 * 1024

    private let directory: PrivateDirectory

    init(directory: PrivateDirectory) {
        self.directory = directory
    }

    var path: String { directory.path(of: Self.name) }

    /// The schedules in the file; none, and the reason, if the file exists but cannot be used.
    func read() -> (book: ScheduleBook, problem: String?) {
        do {
            guard let bytes = try FileReader.read(path, maximumBytes: Self.maximumBytes) else {
                return (ScheduleBook(), nil)
            }
            if let book = ScheduleBook(fileBytes: bytes) { return (book, nil) }
            return (ScheduleBook(), "\(path) is not a valid schedule")
        } catch {
            return (ScheduleBook(), "\(error)")
        }
    }

    func replace(with book: ScheduleBook) throws(SystemError) {
        try directory.replace(Self.name, with: [book.fileBytes])
    }
}
