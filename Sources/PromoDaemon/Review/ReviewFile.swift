import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// The file of the review history. Each request is one job: it takes the lock, reads the file, and replaces it if something has changed. So a
/// replaced file, another promod with the same home and a crash need no rules of their own.
struct ReviewFile: Sendable {
    /// What a job has found, besides its answer.
    struct Findings: Sendable {
        /// The ids of the launched apps; nil if the file could not be read or written.
        var launched: Set<String>?
        /// That the file was set aside, as a sentence; nil if it was not.
        var damage: String?
        /// Why the lock could not be taken; nil if it was.
        var unlocked: SystemError?
        /// Why a power cut may undo the change; nil if it cannot.
        var notDurable: SystemError?
    }

    /// A request that was carried out.
    struct Job<Answer: Sendable>: Sendable {
        let findings: Findings
        let answer: Result<Answer, RequestError>
    }

    static let name = "reviews.json"
    /// The names of histories that were set aside. Each may be the only copy of what it holds, so none replaces another.
    private static let damagedNames = [1, 2, 3, 4, 5, 6, 7, 8, 9].map {
        $0 == 1 ? "\(name).damaged" : "\(name).damaged.\($0)"
    }
    private static let lockName = "reviews.lock"
    /// How long a request waits for the lock, counted from its arrival so that many fail together, and the microseconds between tries.
    /// Another promod needs it for milliseconds, unless it is stopped in the middle of a job.
    private static let (patience, gap): (Milliseconds, UInt32) = (1000, 10_000)

    /// The time until which a request that is made now waits for the lock.
    static var deadline: Milliseconds { PollLoop.clock() + patience }

    let directory: PrivateDirectory
    /// The maximum length of the file. Ten thousand apps with a few requests each take 2 MB.
    var maximumBytes = 16 * 1024 * 1024

    /// That a damaged history was set aside and is still there, as a sentence; nil if there is none.
    var earlierDamage: String? {
        Self.damagedNames.map(directory.path).first { stat(ofLink: $0) != nil }.map {
            "A damaged review history was set aside as \($0). Delete that file when you have seen it, and reload promod."
        }
    }

    /// Carries a request out on the history, and notes what that finds.
    func job<Answer>(until deadline: Milliseconds, _ body: (inout ReviewHistory) -> Answer) -> Job<Answer> {
        var findings = Findings()
        let answer = Result { () throws(RequestError) in try change(&findings, until: deadline, body) }
        return Job(findings: findings, answer: answer)
    }

    /// Carries a request out on the history.
    /// - Returns: the answer, when what it says is on disk.
    /// - Throws: `not-stored`; then nothing has changed.
    func change<Answer>(
        _ findings: inout Findings, until deadline: Milliseconds = deadline, _ body: (inout ReviewHistory) -> Answer
    ) throws(RequestError) -> Answer {
        let lock = try takeLock(&findings, until: deadline)
        // Until the end of the job.
        defer { withExtendedLifetime(lock) {} }
        let before = try read(&findings)
        var history = before
        let answer = body(&history)
        if history != before { try write(history, &findings) }
        findings.launched = history.launchedApps
        return answer
    }

    /// Takes the lock; nil if there can be none.
    private func takeLock(
        _ findings: inout Findings, until deadline: Milliseconds
    ) throws(RequestError) -> LockFile? {
        while true {
            do throws(LockFile.Refusal) {
                return try LockFile.take(Self.lockName, in: directory)
            } catch {
                guard case .held = error else {
                    if case .system(let error) = error { findings.unlocked = error }
                    return nil
                }
                guard PollLoop.clock() < deadline else { break }
                usleep(Self.gap)
            }
        }
        let path = directory.path(of: Self.lockName)
        throw RequestError(.notStored, "Another program holds the lock of the review history, \(path); try again.")
    }

    /// Reads the history. One that cannot be understood is set aside, and the history begins empty.
    private func read(_ findings: inout Findings) throws(RequestError) -> ReviewHistory {
        let path = directory.path(of: Self.name)
        let reason: String
        let damaged = Self.damagedNames.first { stat(ofLink: directory.path(of: $0)) == nil } ?? Self.damagedNames[8]
        do throws(SystemError) {
            do throws(SystemError) {
                guard let bytes = try FileReader.read(path, maximumBytes: maximumBytes) else {
                    return ReviewHistory()
                }
                do throws(ReviewHistory.Unreadable) {
                    return try ReviewHistory(fileBytes: bytes)
                } catch {
                    guard !FileFormat.isNewer(bytes, than: ReviewHistory.format) else {
                        throw SystemError("read", path, number: SystemError.newer)
                    }
                    reason = error.reason
                }
            } catch {
                guard error.number == EFBIG else { throw error }
                reason = "it is longer than \(maximumBytes) bytes"
            }
            try directory.move(Self.name, to: damaged)
        } catch {
            throw Self.unusable(error)
        }
        findings.damage =
            "The review history was set aside as \(directory.path(of: damaged)), because \(reason). promod begins an empty one."
        return ReviewHistory()
    }

    private func write(_ history: ReviewHistory, _ findings: inout Findings) throws(RequestError) {
        let bytes = history.fileBytes
        guard bytes.count <= maximumBytes else {
            throw RequestError(
                .notStored,
                "The review history is full: \(directory.path(of: Self.name)) is at most \(maximumBytes) bytes."
            )
        }
        do throws(SystemError) {
            findings.notDurable = try directory.replace(Self.name, with: [bytes]).problem
        } catch {
            throw Self.unusable(error)
        }
    }

    private static func unusable(_ error: SystemError) -> RequestError {
        RequestError(.notStored, "The review history cannot be used, and nothing changed: \(error).")
    }
}
