import PromoCore

/// The refresh schedule on disk.
struct ScheduleFile: Sendable {
    private static let name = "schedule.json"

    private let directory: PrivateDirectory

    init(directory: PrivateDirectory) {
        self.directory = directory
    }

    var path: String { directory.path(of: Self.name) }

    /// The schedule; a fresh one, with the reason, where the file is there and cannot be used.
    func read() -> (schedule: RefreshSchedule, problem: String?) {
        do {
            guard let bytes = try FileReader.read(path, maximumBytes: 1 << 16) else { return (RefreshSchedule(), nil) }
            if let schedule = RefreshSchedule(fileBytes: bytes) { return (schedule, nil) }
            return (RefreshSchedule(), "\(path) is no schedule")
        } catch {
            return (RefreshSchedule(), "\(error)")
        }
    }

    func replace(with schedule: RefreshSchedule) throws(SystemError) {
        try directory.replace(Self.name, with: [schedule.fileBytes])
    }
}
