package import PromoWire

/// The review history with the changes that are not on disk yet: what may change, what a file that replaced the history leaves of the
/// changes, and which apps make room for others.
package struct ReviewLedger: Sendable {
    /// The history has no room for what it was to take.
    package struct NoRoom: Error {
        /// What has no room, as the beginning of a sentence.
        package let problem: String

        /// The file would be too long to be read after a restart.
        package static let file = NoRoom(problem: "The review history has no room: it is at most \(maximumBytes) bytes")
    }

    package typealias Subject = ReviewHistory.Subject

    /// The most bytes that changes may make of the file. Ten thousand apps with a few requests each take 2 MB.
    package static let maximumBytes = 16 * 1024 * 1024
    /// Apps that no catalog names leave the rest to those that one names.
    private static let maximumBytesWithUnnamed = maximumBytes / 2

    /// With the changes.
    package private(set) var history: ReviewHistory
    /// Without them.
    package private(set) var stored: ReviewHistory
    /// Whether ``stored`` has more than the file, because that was replaced or removed.
    package private(set) var isBehind: Bool
    /// The apps of the changes, even if these have undone each other: a reply may tell of the first.
    private var changed: Set<Subject> = []
    /// Those of them whose records were removed, so that none comes back from a file that replaces the history.
    private var forgotten: Set<Subject> = []
    /// The apps that no catalog names, or of which that is not known because they were recorded while their catalog served nothing.
    private var unnamed: Set<Subject> = []
    /// Whether ``unnamed`` is to be found out again.
    private var isUnnamedOld = true

    /// What a file has, with what was known before it became unusable.
    /// - Parameter isWritten: whether the file has it in the form in which it is written.
    package init(_ file: ReviewHistory, isWritten: Bool, known: ReviewHistory?) throws(NoRoom) {
        stored = try Self.join(known ?? file, file)
        history = stored
        isBehind = !isWritten || stored != file
    }

    /// What both have. If that is too long to be written, neither counts until somebody has made the file smaller.
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

    /// Whether something that happened to an app is not on disk.
    package func hasChange(of subject: Subject) -> Bool { changed.contains(subject) }

    /// The file has all changes.
    package mutating func written() {
        (stored, isBehind) = (history, false)
    }

    /// Undoes what is not written.
    package mutating func dropChanges() {
        (history, changed, forgotten, isUnnamedOld) = (stored, [], [], true)
    }

    /// Other catalogs are served.
    package mutating func namesChanged() { isUnnamedOld = true }

    /// Moves records, and the changes that wait for a write with them, to the addresses of their catalogs.
    package mutating func carry(out moves: [ReviewHistory.Move]) {
        guard history.carry(out: moves) else { return }
        if stored.carry(out: moves) { isBehind = true }
        func moved(_ subject: Subject) -> Subject {
            let move = moves.first { $0.sources.contains(subject.catalog) }
            return move.map { Subject(subject.app, in: $0.address) } ?? subject
        }
        (changed, forgotten, isUnnamedOld) = (Set(changed.map(moved)), Set(forgotten.map(moved)), true)
    }

    /// Takes over what a file has that replaced the history.
    /// - Returns: false if an app was granted a request meanwhile, and the file has one too: then no change is left.
    package mutating func merge(_ file: ReviewHistory, isWritten: Bool) throws(NoRoom) -> Bool {
        let isOvertaken = changed.contains { app in
            let (known, found) = (stored[app]?.requests ?? [], file[app]?.requests ?? [])
            return !forgotten.contains(app) && history[app]?.requests ?? [] != known
                && !Set(found).isSubset(of: known)
        }
        let (changes, before) = (history, stored)
        stored = try Self.join(stored, file)
        isBehind = stored != file || !isWritten
        (history, isUnnamedOld) = (stored, true)
        for app in changed {
            let others = forgotten.contains(app) ? nil : file[app]
            var record = changes[app].map { others?.merged(with: $0) ?? $0 }
            // Whoever was answered that it is shown again must not find it hidden.
            if changes[app]?.isHidden != before[app]?.isHidden { record?.isHidden = changes[app]?.isHidden == true }
            history[app] = record
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
        // Or the first change after a write would copy all records even if it is none.
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
    /// - Parameter isNamed: whether a catalog names an app now; nil if it serves nothing, so that this is not known.
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
            return ReviewVerdict.grant(to: subject.app, at: record.requests.last, next: next ?? now, page: page)
        }
    }

    /// Withdraws a request that no person could see.
    package mutating func returnRequest(
        at time: Timestamp, of subject: Subject, now: Timestamp
    ) throws(NoRoom) -> ReviewReturnResult {
        try change(subject) {
            ReviewReturnResult(app: subject.app, isReturned: $0.returnRequest(at: time, now: now))
        }
    }

    /// Forgets an app's first launch and requests.
    package mutating func reset(_ subject: Subject) throws(NoRoom) -> ReviewResetResult {
        forgotten.insert(subject)
        unnamed.remove(subject)
        return try change(subject) { record in
            defer { record = ReviewRecord(isHidden: record.isHidden) }
            return ReviewResetResult(app: subject.app, wasKnown: !record.isUnused)
        }
    }

    /// Has lists leave an app out, or no longer.
    package mutating func setHidden(_ isHidden: Bool, _ subject: Subject) throws(NoRoom) -> VisibilityResult {
        try change(subject) { record in
            defer { record.isHidden = isHidden }
            return VisibilityResult(app: subject.app, isHidden: isHidden, hasChanged: record.isHidden != isHidden)
        }
    }

    /// Drops records if too many apps have one that no catalog names.
    private mutating func makeRoom(for new: Subject, _ isNamed: (Subject) -> Bool?) {
        if isUnnamedOld {
            let before = unnamed
            unnamed = Set(history.subjects.filter { !(isNamed($0) ?? !before.contains($0)) })
            isUnnamedOld = false
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
