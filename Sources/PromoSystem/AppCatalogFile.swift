import Glibc
import PromoWire

/// The file with which an app has promod keep its catalog: `app-ID.toml` among the drop-ins in the user's data.
package struct AppCatalogFile: Sendable {
    /// Why the file was not written.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The name of the catalog.
    package let name: String
    private let directory: String
    private let text: [UInt8]
    /// The directories of files that a person or an administrator has written, of which one of this name is used instead.
    private let earlier: [String]

    /// The file for an app.
    /// - Throws: ``Refusal`` if the id or the address is not a valid one, or the user has no directory.
    package init(of app: String, at address: String, environment: [String: String]) throws(Refusal) {
        guard AppID.isWellFormed(app) else {
            throw Refusal(description: "\"\(app.printable.elided())\" is no app's id; it has \(AppID.form)")
        }
        guard let url = HTTPSURL(address) else { throw Refusal(description: HTTPSURL.refusal(of: address)) }
        if let refusal = environment.refusalOfHome { throw Refusal(description: refusal) }
        func base(_ variable: String, _ fallback: String) -> String? {
            environment.baseDirectory(variable, fallback, home: environment["HOME"])
        }
        guard let data = base("XDG_DATA_HOME", "/.local/share") else {
            throw Refusal(description: "HOME is not set, so the drop-in of the catalog cannot be written")
        }
        let system = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").map(String.init)
        let configuration =
            [base("XDG_CONFIG_HOME", "/.config")].compactMap(\.self) + (system.isEmpty ? ["/etc/xdg"] : system)
        name = CatalogReference.isName("app-" + app) ? "app-" + app : "app-" + Self.digest(of: app)
        text = Array("url = \"\(url.normalized)\"\n".utf8)
        directory = data + Self.place
        earlier = configuration.map { $0 + Self.place }
    }

    private static let place = "/promod/catalogs.d"

    /// A short name for a long id, by FNV-1a.
    private static func digest(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    private var path: String { "\(directory)/\(name).toml" }

    /// The file with which a person hides the catalog, an empty one or a link, or another one of its name; nil if there is none.
    package var hiding: String? {
        if let other = earlier.map({ "\($0)/\(name).toml" }).first(where: { stat(ofLink: $0) != nil }) { return other }
        guard stat(ofLink: path) != nil else { return nil }
        let lines = Self.read(path)?.split(separator: UInt8(ascii: "\n"))
        return lines?.allSatisfy { $0.starts(with: "#".utf8) } ?? true ? path : nil
    }

    /// Writes the file, unless a person hides the catalog.
    /// - Parameter bundled: the path of a list for the time before the first fetch; nil for none.
    /// - Returns: whether anything has changed.
    package func write(bundled: String? = nil) throws(Refusal) -> Bool {
        guard hiding == nil else { return false }
        if let missing = FileSystem.makeDirectories(directory) {
            throw Refusal(description: "the directory \(missing) cannot be made: \(String(systemError: errno))")
        }
        let isListNew = try bundled.map { bundled throws(Refusal) in try copy(bundled) }
        return try Self.replace(path, with: text) || isListNew == true
    }

    /// Replaces the list beside the file, if that is there with this address, and nothing hides it.
    /// - Returns: whether it has changed.
    package func renew(bundled: String) throws(Refusal) -> Bool {
        guard hiding == nil, Self.read(path) == text else { return false }
        return try copy(bundled)
    }

    private func copy(_ bundled: String) throws(Refusal) -> Bool {
        guard let list = Self.read(bundled) else {
            throw Refusal(description: "\(bundled) cannot be read: \(String(systemError: errno))")
        }
        return try Self.replace("\(directory)/\(name).json", with: list)
    }

    /// Replaces a file, but no file to which a link leads.
    /// - Returns: false if it has these bytes already.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(Refusal) -> Bool {
        if stat(ofLink: path)?.kind == S_IFREG, read(path) == bytes { return false }
        do { try OutputFile(path, replacingAnythingWith: 0o600).replace(with: bytes) } catch {
            throw Refusal(description: error.description)
        }
        return true
    }

    /// The bytes of a regular file, or of that to which a link leads; nil if there is none.
    package static func read(_ path: String) -> [UInt8]? {
        guard stat(of: path)?.kind == S_IFREG else { return nil }
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Descriptor.readToEnd(of: descriptor, keeping: 8 << 20)
    }
}
