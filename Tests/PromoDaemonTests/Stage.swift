import Dispatch
import Glibc
import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization

/// A control plane with a scripted origin, and a clock that stands still unless the test moves it.
final class Stage: Sendable {
    private final class World: Sendable {
        let clock: Mutex<Timestamp>
        let uptime = Mutex<Milliseconds>(0)
        let loaded: Mutex<ConfigurationLoader.Loaded>
        let dropIns = Mutex(DropInCatalogs())
        let loads = Mutex(0)
        let stateWrites = Mutex(0)

        init(_ loaded: ConfigurationLoader.Loaded, after delay: Duration) {
            clock = Mutex(Timestamp(seconds: 1_795_222_800) + delay)
            self.loaded = Mutex(loaded)
        }

        var loadedWithDropIns: ConfigurationLoader.Loaded {
            var loaded = loaded.withLock { $0 }
            loaded.dropIns = dropIns.withLock { $0 }
            return loaded
        }
    }

    let scratch: ScratchDirectory
    let origin = ScriptedOrigin()
    let plane: ControlPlane
    let publication: Publication
    private let world: World

    /// - Parameter url: the value of `catalog.url`; nil if it is not set.
    init(
        scratch: ScratchDirectory? = nil, url: String? = "https://example.com/c.json",
        isOnline: Bool = true,
        initial: ControlPlane.InitialConfiguration? = nil,
        after delay: Duration = .zero,
        beforeStart: () -> Void = {}
    ) throws {
        let scratch = try scratch ?? ScratchDirectory()
        let loaded = Self.configuration(url)
        let world = World(loaded, after: delay)
        let cache = PrivateDirectory(path: scratch("cache"))
        publication = Publication(Snapshot(cachePath: cache.path(of: "catalog")))
        plane = try ControlPlane(
            effects: .init(
                origin: origin, now: { world.clock.withLock { $0 } }, isOnline: { isOnline },
                uptime: { world.uptime.withLock { $0 } },
                loadConfiguration: { () throws(BadConfiguration) in
                    world.loads.withLock { $0 += 1 }
                    return world.loadedWithDropIns
                },
                loadDropIns: { world.dropIns.withLock { $0 } },
                configurationChanged: { _ in }, notifier: try Notifier(environment: [:]),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            publication: publication, cache: cache,
            state: PrivateDirectory(path: scratch("state")) { descriptor in
                world.stateWrites.withLock { $0 += 1 }
                return fsync(descriptor)
            })
        self.scratch = scratch
        self.world = world
        beforeStart()
        onPlane { $0.start(initial ?? .loaded(loaded)) }
    }

    var snapshot: Snapshot { publication.current }

    /// What a daemon that starts now loads.
    var loaded: ConfigurationLoader.Loaded { world.loadedWithDropIns }

    /// The apps whose first launch is recorded, sorted.
    var launchedApps: [String] { snapshot.launched.sorted() }

    var now: Timestamp { world.clock.withLock { $0 } }

    /// How often the plane has read the configuration.
    var loads: Int { world.loads.withLock { $0 } }

    /// How often the plane has written the review history.
    var stateWrites: Int { world.stateWrites.withLock { $0 } }

    func advance(_ duration: Duration) {
        world.clock.withLock { $0 = $0 + duration }
        world.uptime.withLock { $0 += duration.milliseconds }
    }

    /// Sets the wall clock, and waits until the plane has heard of it.
    func setClock(by step: Duration) {
        world.clock.withLock { $0 = $0 + step }
        onPlane { $0.clockSet() }
    }

    /// Sets the catalogs of drop-ins for the next look or reload, with their addresses.
    /// - Parameter broken: problems, by the names of catalogs, of which those without another address have one of their own.
    func drop(in addresses: [String: String], broken: [String: String] = [:], formerly: [String] = []) {
        var dropIns = DropInCatalogs()
        for (name, address) in addresses.sorted(by: { $0.key < $1.key }) {
            var catalog = NamedCatalog(name: name, file: "/data/promod/catalogs.d/\(name).toml")
            catalog.configuration.url = HTTPSURL(address)
            catalog.configuration.formerly = formerly.compactMap { HTTPSURL($0) }
            catalog.problem = broken[name]
            dropIns.catalogs.append(catalog)
        }
        for (name, problem) in broken where addresses[name] == nil {
            var catalog = NamedCatalog(name: name, file: "/data/promod/catalogs.d/\(name).toml")
            catalog.problem = problem
            catalog.configuration.url = HTTPSURL("https://\(name).example/c.json")
            dropIns.catalogs.append(catalog)
        }
        world.dropIns.withLock { $0 = dropIns }
    }

    /// Makes the plane look for drop-ins, as a change in their directories does.
    func readDropIns() {
        onPlane { $0.readDropIns() }
    }

    /// Sets the configuration for the next reload.
    func configure(url: String?, review: ReviewPolicy = ReviewPolicy()) {
        world.loaded.withLock { $0 = Self.configuration(url, review: review) }
    }

    /// Runs a body on the plane, and waits until it is done.
    func onPlane(_ body: @escaping @Sendable (isolated ControlPlane) -> Void) {
        let done = DispatchSemaphore(value: 0)
        plane.perform { plane in
            body(plane)
            done.signal()
        }
        done.wait()
    }

    /// Waits until the plane has done everything that it was given so far, with what origins have sent.
    func settle() {
        plane.finish()
    }

    /// Begins commands that come together, because the plane is busy meanwhile.
    func askTogether(_ commands: [Command]) -> [PendingReply] {
        let busy = DispatchSemaphore(value: 0)
        plane.perform { _ in busy.wait() }
        let replies = commands.map { command in
            let pending = PendingReply()
            plane.perform { $0.carryOut(command) { pending.arrive($0) } }
            return pending
        }
        busy.signal()
        return replies
    }

    /// Begins a command.
    func ask(_ command: Command, of catalog: CatalogReference? = nil) -> PendingReply {
        let pending = PendingReply()
        onPlane { $0.carryOut(command, of: catalog) { pending.arrive($0) } }
        return pending
    }

    /// Begins to wait for the fetch under way; the gate opens when it has ended.
    func awaitFetch(of catalog: CatalogReference? = nil) -> Gate {
        let gate = Gate()
        onPlane { $0.awaitFetch(of: catalog) { gate.open() } }
        return gate
    }

    private static func configuration(
        _ url: String?, review: ReviewPolicy = ReviewPolicy()
    ) -> ConfigurationLoader.Loaded {
        var configuration = Configuration()
        configuration.review = review
        if url == ConfigurationKey.sample {
            configuration.catalog.source = .sample
        } else {
            configuration.catalog.url = url.flatMap(HTTPSURL.init)
        }
        return .init(configuration: configuration, sources: [:])
    }
}

/// A reply of the plane that may still be to come.
final class PendingReply: Sendable {
    private let reply = Mutex<Command.Reply?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    func arrive(_ reply: Command.Reply) {
        self.reply.withLock { $0 = reply }
        arrived.signal()
    }

    /// Waits for the reply; nil if none comes for a long time.
    var value: Command.Reply? {
        guard arrived.wait(timeout: .now() + .seconds(60)) == .success else { return nil }
        arrived.signal()
        return reply.withLock { $0 }
    }

    /// The result of a refresh.
    var result: RefreshResult? { result() }

    /// The result; nil if it is of another type.
    func result<Result: MethodResult>(as: Result.Type = Result.self) -> Result? {
        if case .result(let result) = value { result as? Result } else { nil }
    }

    /// The picture; nil for another reply, and if there is none.
    var picture: (mediaType: String, base64: SharedBytes)? {
        if case .icon(let icon) = value { icon.picture } else { nil }
    }
}
