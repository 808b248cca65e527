import PromoCore
import PromoWire

/// The catalog that a refresher serves, in memory and in the file from which the next start serves it.
struct ServedCatalog {
    typealias Assignment = CatalogRefresher.Assignment

    private let name: String
    private let store: CatalogStore
    private let caches: CatalogCaches
    private let signatures: SignatureStore
    /// The catalog that is served, and the apps of the previous one that clients may still show.
    private(set) var generations = Generations()
    /// The time of the fetch in the file, which is written again only if a step of the clock made the catalog older.
    private var fetchedAtOnDisk: Timestamp?
    /// Whether the catalog was taken over from another name, and has no file of this name yet.
    private var isCopyDue = false

    init(_ name: String, store: CatalogStore, caches: CatalogCaches, signatures: SignatureStore) {
        self.name = name
        self.store = store
        self.caches = caches
        self.signatures = signatures
    }

    var held: HeldCatalog? { generations.current }

    private mutating func serve(_ next: HeldCatalog?, _ assignment: Assignment, now: Timestamp) {
        if let next, !assignment.isReading { signatures.accept(next, now: now) }
        fetchedAtOnDisk = next?.fetchedAt
        generations.serve(next)
    }

    /// Serves the sample if it is configured, else the cached catalog of the address.
    mutating func load(_ assignment: Assignment, now: Timestamp) {
        serve(find(assignment, now), assignment, now: now)
    }

    private mutating func find(_ assignment: Assignment, _ now: Timestamp) -> HeldCatalog? {
        guard !assignment.hasNoFile else { return assignment.isSample ? .sample() : nil }
        let (trust, isReading) = (assignment.trust, assignment.isReading)
        let held = store.load(url: assignment.url, trust: trust, now: now, isReading: isReading)
        guard held == nil, store.problem == nil, let url = assignment.url,
            let contents = caches.catalog(of: url, besides: name)
        else { return held }
        isCopyDue = !isReading
        return store.takeOver(contents, trust: trust, now: now)
    }

    /// Serves the catalog of another assignment. A daemon that started with a broken configuration may already serve it.
    mutating func change(from old: Assignment, to next: Assignment, now: Timestamp) {
        var trusted = held
        if old.trust != next.trust {
            trusted = self.trusted(by: next.trust, now)
            if let trusted { serve(trusted, next, now: now) }
        }
        let isOther =
            !next.isSameCatalog(as: old)
            && (next.url == nil || next.url?.normalized != held?.contents?.header.url)
        if trusted == nil || isOther { load(next, now: now) }
    }

    /// The catalog with its signature by one of these keys; nil if it does not count by them.
    private func trusted(by trust: CatalogTrust, _ now: Timestamp) -> HeldCatalog? {
        guard let trusted = held?.trusted(by: trust),
            signatures.book(for: trust, now: now).refusal(of: trusted, trust: trust, now: now) == nil
        else { return nil }
        return trusted
    }

    /// Serves the catalog of an intake if it was accepted.
    /// - Parameter isCleared: whether a `clear` may have removed the file after it was stored.
    /// - Returns: the failure if the disk refused the catalog.
    mutating func take(_ outcome: IntakeQueue.Outcome, isCleared: Bool, now: Timestamp) -> Failure? {
        guard outcome.intake.accepted != nil, var next = outcome.generations.current else {
            return outcome.storeFailure
        }
        let failure = isCleared ? store.store(&next) : outcome.storeFailure
        fetchedAtOnDisk = next.fetchedAt
        // The clock may have been set during the intake.
        next.contents?.header.fetchedAt = now
        generations = outcome.generations
        generations.serve(next)
        return failure
    }

    mutating func drop() {
        fetchedAtOnDisk = nil
        generations.serve(nil)
    }

    // MARK: The file

    /// Stores a catalog that was taken over from another name.
    mutating func storeCopy() {
        if isCopyDue { storeAgain() }
        isCopyDue = false
    }

    /// Stores the catalog again if its file was removed.
    mutating func restore() {
        if held?.isStored == true, !store.isThere { storeAgain() }
    }

    /// Stores the catalog again if its file makes it younger than it is, as it would be after a restart.
    mutating func storeAge() {
        if let stored = fetchedAtOnDisk, let time = held?.fetchedAt, time < stored { storeAgain() }
    }

    private mutating func storeAgain() {
        guard var held else { return }
        if store.store(&held) == nil { fetchedAtOnDisk = held.fetchedAt }
        generations.serve(held)
    }

    /// Sets the time of the fetch, by the clock as it is set now.
    mutating func fetched(at time: Timestamp) {
        guard var held else { return }
        held.contents?.header.fetchedAt = time
        generations.serve(held)
    }
}
