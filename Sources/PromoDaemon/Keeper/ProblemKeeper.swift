import Dispatch
import PromoCore
import PromoWire

/// Finds what a person may have to know or fix, and looks at the disk for it. It belongs to the loop's thread.
final class ProblemKeeper {
    /// How long a look at the disk is waited for, in milliseconds.
    private static let lookTime: Milliseconds = 1000
    /// How long status tells of a refused connection.
    private static let refusalTime = Duration.seconds(60)

    private unowned let keeper: Keeper
    private var log = ProblemLog()
    /// What the last look at the disk has found.
    private var found: [Problem] = []
    /// When the current look at the disk began, and who waits for its end or for a timer.
    private var lookingSince: Milliseconds?
    private var lookers: [@Sendable () -> Void] = []
    /// Whether promod's own directories are those with which it began, and the one whose loss ends this process.
    private(set) var own = OwnDirectories()
    private(set) var lost: String?
    /// When a connection was last refused because there were too many.
    private var lastRefusal: Timestamp?

    init(_ keeper: Keeper) {
        self.keeper = keeper
    }

    /// The problems of a snapshot, the most urgent first, with the times since when they exist.
    func current(in snapshot: Snapshot, now: Timestamp) -> [Problem] {
        log.update(problems(in: snapshot, now), now: now)
    }

    private func problems(in snapshot: Snapshot, _ now: Timestamp) -> [Problem] {
        let catalogs = snapshot.catalogs.flatMap { $0.problems(now: now, isOnline: keeper.isOnline) }
        var problems = found
        if let lookingSince, keeper.loop.now - lookingSince >= Self.lookTime {
            problems.append(Problem(.directory, "disk", "The disk does not answer"))
        }
        if let error = keeper.catalogs.configurationError {
            problems.removeAll { $0.code == .changedFiles }
            problems.append(Problem(.configuration, "configuration", error))
        }
        if let error = keeper.reviews.error { problems.append(Problem(.reviews, "reviews", error)) }
        if catalogs.contains(where: { $0.code == .certificateTime }), !keeper.effects.isClockSynchronized() {
            problems.append(
                Problem(
                    .clock, "clock",
                    "The clock says \(now.rfc3339) and is not synchronised, and a certificate is not valid by it"))
        }
        problems += catalogs
        problems += keeper.catalogs.ignored.compactMap { file in
            file.problem.map { Problem($0, file.file, file.text, catalog: file.catalog) }
        }
        if let lastRefusal, (.zero..<Self.refusalTime).contains(now - lastRefusal) {
            problems.append(
                Problem(.limit, "connections", "Clients were refused or had to wait, because too many were connected"))
        }
        if let error = keeper.catalogs.unwatched {
            problems.append(
                Problem(
                    .watches, "inotify",
                    "Changes to drop-ins are noticed only at a refresh or a reload: \(error)"))
        }
        return problems
    }

    /// A client was refused, or has to wait, because too many are connected.
    func connectionRefused(now: Timestamp) { lastRefusal = now }

    // MARK: Looks

    /// Looks at the disk, publishes what is wrong, and calls back on the loop's thread. A disk that does not answer delays that by
    /// ``lookTime`` at most: it is then that a person asks for the status.
    func look(_ completion: @escaping @Sendable () -> Void) {
        lookers.append(completion)
        // One look serves all who ask meanwhile.
        if let lookingSince {
            if keeper.loop.now - lookingSince >= Self.lookTime { answerLookers() }
            return
        }
        lookingSince = keeper.loop.now
        let timer = keeper.loop.schedule(at: keeper.loop.now + Self.lookTime) { [unowned self] in answerLookers() }
        let catalogs = keeper.catalogs
        // What could not be written or read before may be by now.
        keeper.disk.async {
            [
                inbox = keeper.inbox, look = keeper.effects.look, check = keeper.reviews.check,
                versions = catalogs.versions, places = own.places, room = catalogs.room
            ] in
            let takeReviews = check?()
            let found = look?.findings(since: versions, places, room: room)
            inbox.submit { keeper in
                takeReviews?(keeper)
                keeper.loop.cancel(timer)
                keeper.problems.ended(found)
            }
        }
    }

    private func ended(_ found: DiskLook.Findings?) {
        lookingSince = nil
        take(found)
        answerLookers()
    }

    private func answerLookers() {
        keeper.publish()
        let waiting = lookers
        lookers = []
        for completion in waiting { completion() }
    }

    /// Takes what a look at the disk has found. If a directory of promod's own is another one, a service ends, so that its manager starts
    /// another that reads it as at every start, in a sandbox that has it; requests wait in the socket meanwhile.
    func take(_ found: DiskLook.Findings?) {
        guard let found, keeper.isRunning else { return }
        self.found = found.problems
        // Nobody can connect any more: another promod listens, such as the service of a package that was installed, or none.
        if found.isSocketReplaced { return keeper.stopServing() }
        switch own.looked(found.places, replaced: found.replaced, now: keeper.loop.now) {
        case .own: break
        case .lookAgain(let time):
            keeper.loop.schedule(at: time) { [unowned keeper] in keeper.catalogs.read() }
        case .replaced(let directory):
            guard keeper.effects.environment["NOTIFY_SOCKET"] != nil else { return keeper.catalogs.reload() }
            lost = directory
            keeper.effects.notifier.stopping()
            keeper.stop()
            keeper.server?.stop()
        }
    }
}
