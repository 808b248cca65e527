import Dispatch
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization

/// A keeper with a scripted origin, and a clock that stands still unless the test moves it.
final class Stage {
    private final class World: Sendable {
        let clock: Mutex<Timestamp>
        let isOnline: Mutex<Bool>
        /// The texts of the catalogs' files, by their paths.
        let files: Mutex<[String: String]>

        private let configuration: Configuration

        init(_ url: String?, _ configuration: Configuration, isOnline: Bool) {
            self.configuration = configuration
            self.isOnline = Mutex(isOnline)
            clock = Mutex(Timestamp(seconds: 1_795_222_800))
            files = Mutex([:])
            if let url { files.withLock { $0["\(Stage.configuration)/default.toml"] = "url = \"\(url)\"" } }
        }

        func dropIns(after previous: DropInCatalogs = DropInCatalogs()) -> DropInCatalogs {
            let files = files.withLock { $0 }
            return DropInCatalogs(
                in: [.configuration(Stage.configuration), .data(Stage.data)], after: previous,
                list: { directory, _ in
                    files.keys.filter { $0.hasPrefix(directory) }.map { String($0.dropFirst(directory.utf8.count + 1)) }
                }, readFile: { path, _ in files[path].map { Array($0.utf8) } })
        }

        func loaded(after previous: DropInCatalogs = DropInCatalogs()) -> ConfigurationLoader.Loaded {
            .init(configuration: configuration, dropIns: dropIns(after: previous))
        }
    }

    /// The cache of the catalog at https://example.com/c.json, and the digest of that address.
    static let cache = "cache/catalogs/\(digest)"
    static let digest = "374b409171eb0fe5"
    /// The directory of the default catalog's file, and that of the others.
    static let (configuration, data) = ("/config/promod/catalogs.d", "/data/promod/catalogs.d")

    let scratch: ScratchDirectory
    let origin = ScriptedOrigin()
    let log = CollectedLog()
    let keeper: Keeper
    private let world: World
    private var clients = 0

    /// - Parameters:
    ///   - url: the address of the default catalog; nil if there is none.
    ///   - addresses: those of the other catalogs, by their names.
    ///   - broken: the names of catalogs whose files are broken.
    ///   - problem: that of the configuration.
    ///   - connections: `socket.max-connections`.
    ///   - timeout: `refresh.timeout`.
    ///   - starts: whether everything is read at once.
    init(
        scratch: ScratchDirectory? = nil, url: String? = "https://example.com/c.json",
        addresses: [String: String] = [:], broken: [String] = [], isOnline: Bool = true,
        problem: BadConfiguration? = nil, connections: Int = Configuration().maximumConnections,
        timeout: Duration = Configuration().timeout, starts: Bool = true
    ) throws {
        let scratch = try scratch ?? ScratchDirectory()
        var configuration = Configuration()
        (configuration.maximumConnections, configuration.timeout) = (connections, timeout)
        let world = World(url, configuration, isOnline: isOnline)
        let problems = Mutex(problem.map { [$0] } ?? [])
        let cache = PrivateDirectory(path: scratch("cache"))
        keeper = try Keeper(
            loop: PollLoop(time: Self.ticks()),
            effects: .init(
                origin: origin,
                now: { world.clock.withLock { $0 } }, hasRoute: { world.isOnline.withLock { $0 } },
                loadConfiguration: { dropIns throws(BadConfiguration) in
                    if let problem = problems.withLock({ $0.popLast() }) { throw problem }
                    return world.loaded(after: dropIns)
                }, loadDropIns: { world.dropIns(after: $0) },
                configurationChanged: { _ in }, notifier: Notifier(isSupervised: false) { _ in },
                logger: log.logger),
            cache: cache,
            state: PrivateDirectory(path: scratch("state")))
        self.scratch = scratch
        self.world = world
        drop(in: addresses, broken: broken)
        if starts { onLoop { $0.start() } }
    }

    /// A clock for rounds of the loop: each look at it takes ten microseconds, however busy the machine is.
    private static func ticks() -> () -> Milliseconds {
        var looks = 0 as Milliseconds
        return {
            looks += 1
            return looks / 100
        }
    }

    var snapshot: Snapshot { keeper.snapshot }

    /// The published state of the catalog of a name.
    subscript(name: String) -> CatalogSnapshot? { snapshot.choose(.name(name), for: nil) }

    var now: Timestamp { world.clock.withLock { $0 } }

    /// Reads the clock, on any thread.
    var clock: @Sendable () -> Timestamp { { [world] in world.clock.withLock { $0 } } }

    /// Whether there is a route to the network.
    var isOnline: Bool {
        get { world.isOnline.withLock { $0 } }
        set { world.isOnline.withLock { $0 = newValue } }
    }

    func advance(_ duration: Duration) {
        world.clock.withLock { $0 = $0 + duration }
    }

    /// Sets the files of the other catalogs for the next look or reload, with their addresses.
    /// - Parameter broken: the names of catalogs whose files are broken.
    func drop(in addresses: [String: String], broken: [String] = []) {
        world.files.withLock { files in
            files = files.filter { $0.key.hasPrefix(Self.configuration) }
            for (name, address) in addresses { files["\(Self.data)/\(name).toml"] = "url = \"\(address)\"" }
            for name in broken { files["\(Self.data)/\(name).toml"] = "url = 1" }
        }
    }

    /// Makes the keeper look for drop-ins, as a change in their directories does.
    func readDropIns() {
        onLoop { $0.catalogs.read() }
    }

    /// Adds a line to the file of the default catalog for the next reload.
    func configure(_ line: String) {
        world.files.withLock { $0["\(Self.configuration)/default.toml"]? += "\n\(line)" }
    }

    /// Runs a body on the keeper, and waits until it is done, with the jobs that it leads to.
    func onLoop(_ body: (Keeper) -> Void) {
        body(keeper)
        keeper.finish()
    }

    /// Calls what timers would call, now.
    func fireTimers() {
        onLoop { keeper in keeper.loop.timers.values.forEach { $0() } }
    }

    /// Waits until the keeper has done everything that it was given so far, with what origins have sent.
    func settle() {
        keeper.finish()
    }

    /// Begins a command.
    func ask(_ command: Command, of catalog: CatalogReference? = nil) -> PendingReply {
        let pending = PendingReply(keeper)
        clients += 1
        onLoop { $0.commands.carryOut(command, of: catalog, for: clients, completion: pending.arrive) }
        return pending
    }

    /// Begins to wait for the fetch under way; the gate opens when it has ended.
    func awaitFetch(of catalog: CatalogReference? = nil) -> Gate {
        let gate = Gate()
        clients += 1
        onLoop {
            $0.commands.awaitFetch(for: Request(.list(ListParameters()), of: catalog), of: clients) { gate.open() }
        }
        return gate
    }
}

extension Snapshot {
    /// The first catalog.
    var catalog: CatalogSnapshot { catalogs.first ?? none }
}

/// A reply of the keeper that may still be to come.
struct PendingReply {
    private final class Place: Sendable {
        let reply = Mutex<Command.Reply?>(nil)
    }

    private let place = Place()
    private let keeper: Keeper

    init(_ keeper: Keeper) {
        self.keeper = keeper
    }

    /// Takes the reply.
    var arrive: @Sendable (Command.Reply) -> Void { { [place] reply in place.reply.withLock { $0 = reply } } }

    /// The reply; nil if there is none when all that is under way has ended.
    var value: Command.Reply? {
        keeper.finish()
        return place.reply.withLock { $0 }
    }

    /// The result of a refresh.
    var result: RefreshResult? { result() }

    /// The result; nil if it is of another type.
    func result<Result: MethodResult>(as: Result.Type = Result.self) -> Result? {
        if case .result(let result) = value { result as? Result } else { nil }
    }

    /// The error; nil if the command was not refused.
    var error: RequestError? { if case .refused(let error) = value { error } else { nil } }

    /// The picture; nil for another reply, and if there is none.
    var picture: (mediaType: String, base64: SharedBytes)? {
        if case .icon(let icon) = value { icon.picture } else { nil }
    }
}
