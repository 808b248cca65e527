package import PromoWire

/// The review history with the changes that are not on disk yet. It decides which changes are made, which survive a file that has replaced
/// the history, and which records make room for others.
package struct ReviewLedger: Sendable {
    /// The error for a change for which the history has no room.
    package struct NoRoom: Error {
        /// The problem, as the beginning of a sentence.
        package let problem: String

        /// The file would be too long to be read after a restart.
        package static let file = NoRoom(problem: "The review history has no room: it is at most \(maximumBytes) bytes")
    }

    package typealias Subject = ReviewHistory.Subject

    /// The maximum length of the file after a change, in bytes. Ten thousand apps with a few requests each take 2 MB.
    package static let maximumBytes = 16 * 1024 * 1024
    /// The length up to which apps are recorded that no catalog names; the rest is for the others.
    private static let maximumBytesWithUnnamed = maximumBytes / 2

    /// The history with the changes.
    package private(set) var history: ReviewHistory
    /// The history without the changes that are not on disk.
    package private(set) var stored: ReviewHistory
    /// Whether the file lacks records of ``stored``, because it was replaced or removed.
    package private(set) var isBehind: Bool
    /// The changed apps, even if a later change has undone an earlier one, which a reply may report.
    private var changed: Set<Subject> = []
    /// The changed apps whose records were removed, so that a file that replaces the history does not bring them back.
    private var forgotten: Set<Subject> = []
    /// The recorded apps that no catalog names, and those recorded while their catalog served nothing.
    private var unnamed: Set<Subject> = []
    /// Whether ``unnamed`` must be computed again.
    private var isUnnamedStale = true

    /// Creates a ledger from a file, and from the history known before the file became unusable.
    /// - Parameter isWritten: whether the file has these records as they are; false if they were moved after it was read.
    package init(_ file: ReviewHistory, isWritten: Bool, known: ReviewHistory?) throws(NoRoom) {
        stored = try Self.join(known ?? file, file)
        history = stored
        isBehind = !isWritten || stored != file
    }

    /// Merges both histories. If the result is too long to be written, no history is used until the file is smaller.
    private static func join(_ known: ReviewHistory, _ file: ReviewHistory) throws(NoRoom) -> ReviewHistory {
        var all = known
        all.merge(file)
        guard all.byteCount <= max(maximumBytes, file.byteCount) else {
            throw NoRoom(
                problem:
                    "The review history was replaced by one with which it has no room: it is at most \(maximumBytes) bytes"
            )
        }
        return all
    }

    /// Whether there is something to write.
    package var isToBeWritten: Bool { isBehind || history != stored }
    /// Whether changes wait for a write.
    package var hasChanges: Bool { !changed.isEmpty }

    /// Whether a change of an app is not on disk.
    package func hasChange(of subject: Subject) -> Bool { changed.contains(subject) }

    /// All changes were written to the file.
    package mutating func written() {
        (stored, isBehind) = (history, false)
    }

    /// Undoes the changes that are not on disk.
    package mutating func dropChanges() {
        (history, changed, forgotten, isUnnamedStale) = (stored, [], [], true)
    }

    /// The served catalogs have changed.
    package mutating func namesChanged() { isUnnamedStale = true }

    /// Moves records, with the changes that wait for a write, to the addresses of their catalogs.
    package mutating func carry(out moves: [ReviewHistory.Move]) {
        guard history.carry(out: moves) else { return }
        if stored.carry(out: moves) { isBehind = true }
        func moved(_ subject: Subject) -> Subject {
            let move = moves.first { $0.sources.contains(subject.catalog) }
            return move.map { Subject(subject.app, in: $0.address) } ?? subject
        }
        (changed, forgotten, isUnnamedStale) = (Set(changed.map(moved)), Set(forgotten.map(moved)), true)
    }

    /// Merges a file that has replaced the history.
    /// - Returns: false if an app has a new request both here and in the file; then the changes are dropped.
    package mutating func merge(_ file: ReviewHistory, isWritten: Bool) throws(NoRoom) -> Bool {
        let isOvertaken = changed.contains { app in
            let (known, found) = (stored[app]?.requests ?? [], file[app]?.requests ?? [])
            return !forgotten.contains(app) && history[app]?.requests ?? [] != known
                && !Set(found).isSubset(of: known)
        }
        let changes = history
        stored = try Self.join(stored, file)
        isBehind = stored != file || !isWritten
        (history, isUnnamedStale) = (stored, true)
        for app in changed {
            let others = forgotten.contains(app) ? nil : file[app]
            history[app] = changes[app].map { others?.merged(with: $0) ?? $0 }
        }
        if isOvertaken { dropChanges() }
        return !isOvertaken
    }

    // MARK: Changes

    /// Changes an app's record, unless the history would be too long to be read after a restart.
    private mutating func change<Result>(
        _ subject: Subject, _ body: (inout ReviewRecord) -> Result
    ) throws(NoRoom) -> Result {
        let (before, byteCount) = (history[subject], history.byteCount)
        var record = before ?? ReviewRecord()
        let result = body(&record)
        // Without this guard, a call that changes nothing would copy all records after a write.
        guard record != before ?? ReviewRecord() else { return result }
        history[subject] = record
        guard history.byteCount <= max(Self.maximumBytes, byteCount) else {
            history[subject] = before
            throw .file
        }
        changed.insert(subject)
        return result
    }

    /// Records an app's first launch, in whole seconds as in the file, so that a restart changes no answer.
    /// - Parameter isNamed: whether an app's catalog names it; nil if the catalog serves nothing, so that this is unknown.
    package mutating func launch(
        _ subject: Subject, now: Timestamp, isNamed: (Subject) -> Bool?
    ) throws(NoRoom) -> LaunchResult {
        let hasRoom = history[subject] != nil || isNamed(subject) == true
        if !hasRoom, history.byteCount >= Self.maximumBytesWithUnnamed {
            throw NoRoom(
                problem: "The review history has no room for \"\(subject.app.shortened())\", which no catalog names")
        }
        let (isRecorded, launch) = try change(subject) { record in
            record = record.believed(now: now)
            let launch = record.firstLaunch ?? now.roundedDownToSecond
            defer { record.firstLaunch = launch }
            return (record.firstLaunch == nil, launch)
        }
        if !hasRoom { makeRoom(for: subject, isNamed) }
        return LaunchResult(app: subject.app, firstLaunch: launch, isRecorded: isRecorded)
    }

    /// Grants a review request if the policy allows it.
    package mutating func request(
        _ parameters: ReviewParameters, of subject: Subject, policy: ReviewPolicy, page: String?,
        isOnline: () -> Bool, now: Timestamp
    ) throws(NoRoom) -> ReviewResult {
        try change(subject) { record in
            let verdict = policy.judge(parameters, record, page: page, isOnline: isOnline, now: now)
            guard verdict.isEligible else { return verdict.refusal(of: subject.app) }
            record = record.believed(now: now)
            record.recordRequest(at: now.roundedDownToSecond)
            let next = policy.judge(record, completed: .max, now: now).eligibleAt
            return ReviewVerdict.grant(to: subject.app, next: next ?? now, page: page)
        }
    }

    /// Forgets an app's first launch and requests.
    package mutating func reset(_ subject: Subject) throws(NoRoom) -> ReviewResetResult {
        forgotten.insert(subject)
        unnamed.remove(subject)
        return try change(subject) { record in
            defer { record = ReviewRecord() }
            return ReviewResetResult(app: subject.app, wasKnown: record != ReviewRecord())
        }
    }

    /// Drops the least needed records if too many apps that no catalog names have one.
    private mutating func makeRoom(for new: Subject, _ isNamed: (Subject) -> Bool?) {
        if isUnnamedStale {
            let before = unnamed
            unnamed = Set(history.subjects.filter { !(isNamed($0) ?? !before.contains($0)) })
            isUnnamedStale = false
        }
        unnamed.remove(new)
        let surplus = unnamed.count - ReviewHistory.maximumUnnamed + 1
        if surplus > 0 {
            let dropped = history.leastNeeded(surplus, of: unnamed)
            for app in dropped { history[app] = nil }
            unnamed.subtract(dropped)
            changed.formUnion(dropped)
            forgotten.formUnion(dropped)
        }
        unnamed.insert(new)
    }
}
