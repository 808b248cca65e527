import Foundation
import PromoTestSupport

/// The built promod, running in a scratch directory of its own.
final class DaemonUnderTest: Sendable {
    let scratch: ScratchDirectory
    let notify: NotifySocket
    let process: ChildProcess

    static let binary =
        ProcessInfo.processInfo.environment["PROMOD_BINARY_UNDER_TEST"]
        ?? (Bundle.main.executableURL ?? URL(fileURLWithPath: "/")).deletingLastPathComponent().path + "/promod"

    /// The path of a program that was built beside promod.
    static func program(_ name: String) -> String {
        URL(fileURLWithPath: binary).deletingLastPathComponent().path + "/" + name
    }

    /// The address of a catalog that is never fetched.
    static let unfetched = "https://localhost:1/catalog.json"

    /// The environment that keeps a daemon within a scratch directory, in which it makes the runtime directory.
    static func environment(in scratch: ScratchDirectory) -> [String: String] {
        _ = mkdir(scratch("run"), 0o700)
        return [
            "HOME": scratch.path, "XDG_CACHE_HOME": scratch("cache"), "XDG_STATE_HOME": scratch("state"),
            "XDG_CONFIG_HOME": scratch("config"), "XDG_CONFIG_DIRS": scratch("etc"), "XDG_RUNTIME_DIR": scratch("run"),
            "XDG_DATA_HOME": scratch("data"), "XDG_DATA_DIRS": scratch("share"), "LANG": "C",
        ]
    }

    /// Starts a daemon, and returns when it reports that it is ready.
    /// - Parameters:
    ///   - catalog: the address of the default catalog, unless the test configures another; nil for none.
    ///   - listener: a socket that it inherits as from systemd; nil for one that it binds itself.
    ///   - launcher: a command that replaces itself with the daemon.
    ///   - settings: keys of `config.toml`, and `catalog-url`, for the command line.
    init(
        in scratch: ScratchDirectory? = nil, catalog: String? = "sample", environment: [String: String] = [:],
        settings: [String: String] = [:], listener: Int32? = nil,
        launcher: [String] = [],
        _ options: String...
    ) throws {
        let scratch = try scratch ?? ScratchDirectory()
        self.scratch = scratch
        notify = try NotifySocket(in: scratch)
        if let catalog { try scratch.write("etc/promod/catalogs.d/default.toml", "url = \"\(catalog)\"\n") }
        let variables = Self.environment(in: scratch).merging(["NOTIFY_SOCKET": notify.path]) { $1 }
            .merging(environment) { $1 }
        let options =
            options + settings.map { key, value in (key == "catalog-url" ? "--" : "--set=") + "\(key)=\(value)" }
        if let listener {
            // LISTEN_PID must be the daemon's own pid, which only the process that execs it knows.
            process = try ChildProcess(
                ["/bin/sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\"", "sh", Self.binary] + options,
                environment: variables, descriptors: [(listener, 3)])
        } else {
            process = try ChildProcess(launcher + [Self.binary] + options, environment: variables)
        }
        if !notify.wait(for: { $0 == "READY=1" }).contains("READY=1") {
            throw TestFailure("promod did not become ready: \(process.standardError)")
        }
    }

    func status() throws -> Reply {
        try ask(#"{"method":"status"}"#)
    }

    /// The first catalog in the status, or the one with a name.
    func catalog(_ name: String? = nil) throws -> [String: Any] {
        try status().catalogs.first { name == nil || $0["name"] as? String == name } ?? [:]
    }

    /// The texts of the problems in the status, by their codes.
    func problems() throws -> [String: String] {
        let all = try status().problems.map { ($0["code"] as? String ?? "", $0["text"] as? String ?? "") }
        return Dictionary(all) { "\($0) \($1)" }
    }

    var socketPath: String { scratch("run/promod/promod.sock") }

    /// Whether it logs a text, perhaps a moment after the reply that tells the same.
    func logs(_ text: String) -> Bool {
        comes { process.standardError.contains(text) }
    }

    /// Kills it as a crash would.
    func crash() {
        process.signal(SIGKILL)
        process.wait()
    }

    /// Stops it as systemd does, and returns how it ended.
    @discardableResult
    func stop() -> ChildProcess.End {
        process.signal(SIGTERM)
        return process.wait()
    }

    func connect() throws -> UnixSocket {
        try UnixSocket(connectingTo: socketPath)
    }

    /// Repeats a request for a refresh until it has begun a fetch, which none does within a second of the last attempt.
    func fetching<Result>(_ request: () throws -> Result) throws -> Result {
        let before = try catalog()["attempts"] as? Int ?? 0
        return try awaited("a fetch") {
            let result = try request()
            return try catalog()["attempts"] as? Int ?? 0 > before ? result : nil
        }
    }

    /// The reply to a refresh that has begun a fetch.
    func refresh() throws -> Reply {
        try fetching { try ask(#"{"method":"refresh"}"#) }
    }

    /// Sends one line on a connection of its own.
    func ask(_ line: String, at path: String? = nil) throws -> Reply {
        try Reply(to: line, at: path ?? socketPath)
    }
}

/// A reply, parsed by Foundation rather than by the parser under test.
struct Reply: CustomStringConvertible {
    let description: String
    let object: [String: Any]

    init(_ line: String) throws {
        description = line
        object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    /// Sends one line on a connection of its own, as `nc -NU` does.
    init(to line: String, at path: String) throws {
        let client = try UnixSocket(connectingTo: path)
        client.send(line)
        client.shutdownWriting()
        let lines = client.readToEnd()
        guard lines.count == 1 else { throw TestFailure("\(line) was answered \(lines)") }
        try self.init(lines[0])
    }

    var result: [String: Any] { object["result"] as? [String: Any] ?? [:] }
    var error: [String: Any] { object["error"] as? [String: Any] ?? [:] }
    var reason: String? { (error["data"] as? [String: Any])?["reason"] as? String }
    var state: String? { result["state"] as? String }
    var source: String? { result["source"] as? String }
    var apps: [String] { (result["apps"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String } }
    var outcome: String? { result["outcome"] as? String }
    var failure: String? { (result["error"] as? [String: Any])?["code"] as? String }

    /// Those of a status.
    var catalogs: [[String: Any]] { result["catalogs"] as? [[String: Any]] ?? [] }
    var problems: [[String: Any]] { result["problems"] as? [[String: Any]] ?? [] }

    func object(_ name: String) -> [String: Any] { result[name] as? [String: Any] ?? [:] }
}

/// The repository, some of whose files are tested.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

extension ScratchDirectory {
    /// The permissions of an entry.
    func mode(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: self(name))[.posixPermissions] as? Int ?? 0
    }

    /// The names of the entries of a directory.
    func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(directory)).sorted()
    }
}
