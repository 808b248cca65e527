import CLinux
import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// A daemon in the background, which a program starts that is about to be its client.
package enum Background {
    /// Why no client can be served: an exit code, and what the daemon wrote to its standard error.
    package struct Failure: Error, Sendable {
        package let code: Int32
        package let text: [UInt8]
    }

    /// The name of the daemon's process, as its first argument.
    private static let name = "promod-background"
    /// The byte with which the daemon tells its starter that clients can be served.
    private static let readyMark: UInt8 = 0

    /// An app that has promod keep its catalog.
    package struct App {
        let id: String
        let address: String
        let bundled: String?

        /// An app with its catalog's address, and the path of a list for the time before the first fetch.
        package init(id: String, address: String, bundled: String?) {
            (self.id, self.address, self.bundled) = (id, address, bundled)
        }

        /// Writes the drop-in of its catalog, unless one has that address.
        /// - Returns: whether anything has changed.
        fileprivate func add(_ environment: [String: String]) throws(AppCatalogFile.Refusal) -> Bool {
            let file = try AppCatalogFile(of: id, at: address, environment: environment)
            let directories = Directories(environment: environment, home: ProcessSetup.home)
            let loader = ConfigurationLoader(commandLine: [:], environment: environment, directories: directories)
            let isKnown = loader.loadDropIns().entries.contains {
                $0.name != file.name && $0.settings.source == HTTPSURL(address).map(CatalogSettings.Source.address)
            }
            return isKnown ? false : try file.write(bundled: bundled)
        }
    }

    // MARK: The daemon

    /// Whether these are the arguments of a daemon in the background.
    package static func isMeant(by arguments: [String]) -> Bool { arguments.first == name }

    /// Leaves the session and the directory of the program that started it.
    package static func begin() {
        setsid()
        // The path ends with a NUL.
        _ = unsafe chdir("/")
        // Its file may be /proc/self/exe, or a copy in memory.
        promod_set_name()
    }

    /// Tells the starter that clients can be served, and gives up its standard error.
    package static func ready() {
        Descriptor.write([readyMark].span, to: STDERR_FILENO)
        let null = FileSystem.open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(null, STDERR_FILENO)
        close(null)
    }

    // MARK: The starter

    /// Returns when clients can be served: at once if somebody listens, else when a daemon that this process starts has read its
    /// configuration.
    /// - Parameter app: the app whose catalog is kept from then on; nil for none.
    /// - Returns: why the app's catalog is not kept, although the app is served; nil if it is kept.
    package static func start(exitIdleTime: Int, app: App? = nil) throws -> String? {
        var environment: [String: String]
        let path: String
        do throws(any Error) {
            environment = BackgroundEnvironment.kept(of: try ProcessEnvironment().checked())
            environment["HOME"] = environment["HOME"] ?? ProcessSetup.home
            // Its directory is another one.
            if let relative = environment["PROMOD_SOCKET"], !relative.hasPrefix("/") {
                environment["PROMOD_SOCKET"] = (try String(resolving: ".") ?? "") + "/" + relative
            }
            path = try SocketPath.resolve(
                environment: environment, userID: getuid(), isDirectory: FileSystem.isDirectory)
        } catch {
            throw StartFailure(.configuration, "\(error)")
        }
        if let refusal = environment.refusalOfHome { throw StartFailure(.osError, refusal) }
        try serve(at: path, environment, exitIdleTime, tries: 3)
        // A promod that may not start keeps nothing.
        guard let app else { return nil }
        do throws(AppCatalogFile.Refusal) {
            let isChanged = try app.add(environment)
            // Another instance of the app may have written the file, which promod has yet to read.
            if let listener = Listener(at: path), isChanged || !listener.keeps(app.address) {
                _ = listener.ask(Request(.command(.reload)))
            }
            return nil
        } catch {
            return "the catalog of \(app.id.printable.elided()) is not kept: \(error)"
        }
    }

    private static func serve(
        at path: String, _ environment: [String: String], _ exitIdleTime: Int, tries: Int
    ) throws {
        if let listener = Listener(at: path), try !listener.giveWay() { return }
        // If SIGCHLD is ignored, the kernel forgets how a child ended.
        signal(SIGCHLD, SIG_DFL)
        var ends: [Int32] = [-1, -1]
        // The kernel writes two descriptors.
        unsafe promod_pipe(&ends)
        let null = FileSystem.open("/dev/null", O_RDWR | O_CLOEXEC)
        let copy = copyInMemory()
        let process = Spawn.start(
            copy < 0 ? "/proc/self/exe" : "/proc/\(getpid())/fd/\(copy)", [name, "--exit-idle-time=\(exitIdleTime)"],
            environment: environment.map { "\($0)=\($1)" },
            descriptors: [(null, as: STDIN_FILENO), (null, as: STDOUT_FILENO), (ends[1], as: STDERR_FILENO)],
            last: STDERR_FILENO)
        for descriptor in [ends[1], null, copy] where descriptor >= 0 { close(descriptor) }
        guard process > 0 else {
            throw StartFailure(.osError, "cannot start the daemon: \(String(systemError: -process).lowercased())")
        }
        let written = Descriptor.readToEnd(of: ends[0], keeping: 1 << 16)
        // Its log may come before and after the mark.
        if written.contains(readyMark) { return }
        var status: Int32 = 0
        // The kernel writes one number.
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        guard tries > 1, code == ExitCode.temporaryFailure.rawValue, Listener(at: path) != nil else {
            throw Failure(code: code, text: written)
        }
        // Another one was faster.
        try serve(at: path, environment, exitIdleTime, tries: tries - 1)
    }

    /// A copy of the program in memory, if its file lies on a mount that ends with the app, as an AppImage's does: a page that is read
    /// later would kill the daemon, and it could start no process that fetches.
    /// - Returns: its descriptor; -1 if the file itself can be run, or nothing else.
    private static func copyInMemory() -> Int32 {
        // The path ends with a NUL.
        guard unsafe promod_is_on_fuse("/proc/self/exe") != 0 else { return -1 }
        let (file, copy) = (FileSystem.open("/proc/self/exe", O_RDONLY | O_CLOEXEC), promod_memory_file())
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while copy >= 0 {
            let count = Descriptor.read(from: file, into: &buffer)
            if count == 0 { return copy }
            guard count > 0, Descriptor.writeAll(Array(buffer.prefix(count)), to: copy) else { break }
        }
        close(copy)
        return -1
    }
}

/// The environment of a daemon in the background, which the first app must not configure for all others.
enum BackgroundEnvironment {
    private static let names: Set = [
        "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "FLATPAK_ID",
        "LANG", "LANGUAGE", "TZ", "PROMOD_SOCKET",
    ]
    /// Those of proxies, which are set in small letters or in capitals.
    private static let proxies: Set = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]

    /// What it keeps of the environment of the program that starts it.
    static func kept(of environment: [String: String]) -> [String: String] {
        var kept = environment.filter { name, value in
            !value.isEmpty && (names.contains(name) || name.hasPrefix("LC_") || proxies.contains(name.lowercased()))
        }
        // The directories of an app are its own, but for those of a Flatpak.
        kept["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share:/app/share"
        return kept
    }
}

/// Somebody who listens at the socket.
private struct Listener: ~Copyable {
    /// The most seconds until it answers, and until it has ended.
    private static let patience = 5

    private let path: String
    private let descriptor: Int32

    /// Connects; nil if nobody listens.
    init?(at path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        promod_limit_waits(descriptor, Int32(Self.patience))
        // If nobody accepts for so long, somebody listens.
        if UnixAddress.connect(descriptor, to: path) == 0 || errno == EAGAIN { return }
        close(descriptor)
        return nil
    }

    deinit {
        close(descriptor)
    }

    /// What it answers to a request.
    enum Answer {
        case line([UInt8])
        /// It does not answer in time.
        case none
        /// The connection is closed.
        case gone
    }

    /// Sends a request, and waits for the answer.
    func ask(_ request: Request) -> Answer {
        let request = request.line
        var (framer, buffer) = (LineFramer(maximumLength: 1 << 24), [UInt8](repeating: 0, count: 1 << 16))
        guard Descriptor.send(request.span, to: descriptor) == request.count else {
            // Without a connection, nobody has accepted one.
            return errno == EAGAIN || errno == ENOTCONN ? .none : .gone
        }
        while true {
            let count = Descriptor.read(from: descriptor, into: &buffer)
            guard count > 0 else { return count < 0 && errno == EAGAIN ? .none : .gone }
            framer.append(buffer.span.extracting(..<count))
            if case .line(let line) = framer.next() { return .line(line) }
        }
    }

    /// Whether it keeps the catalog at an address.
    func keeps(_ address: String) -> Bool {
        guard let url = HTTPSURL(address) else { return true }
        let request = Request(.list(ListParameters(limit: 1)), of: .address(url.requestText))
        guard case .line(let line) = ask(request), case .refused(let refusal) = Incoming(line: line) else {
            return true
        }
        return refusal.reason != ErrorReason.unknownCatalog.rawValue
    }

    /// Ends an older daemon in the background; a service stays, whatever its version is.
    /// - Returns: whether nobody listens any more.
    /// - Throws: ``StartFailure`` if it does not answer.
    func giveWay() throws(StartFailure) -> Bool {
        switch ask(Request(.status)) {
        case .none:
            let pid = PeerCredentials(of: descriptor)?.pid.map { " \($0)" } ?? ""
            throw StartFailure(
                .temporaryFailure,
                "the process\(pid) listens at \(path), but has not answered for \(Self.patience) seconds; end it, or set PROMOD_SOCKET"
            )
        // One that was killed listens until the kernel has ended it.
        case .gone: return true
        case .line(let line):
            guard case .result(let status) = Incoming(line: line), let version = status["version"]?.ascii(upTo: 64),
                status["startedBy"]?.isString(StartedBy.app.rawValue) == true,
                Version.isOlder(version, than: Version.current), let pid = PeerCredentials(of: descriptor)?.pid
            else { return false }
            kill(pid_t(pid), SIGTERM)
            // It closes its connections when it listens no more.
            var buffer: [UInt8] = [0]
            while Descriptor.read(from: descriptor, into: &buffer) > 0 {}
            return true
        }
    }
}
