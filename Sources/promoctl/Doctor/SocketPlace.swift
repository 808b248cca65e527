import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

/// Where this shell looks for promod, and why there.
struct SocketPlace {
    /// The socket's path; nil if it is not valid.
    let path: String?
    /// What names the path.
    let origin: Origin

    enum Origin: String {
        case option = "--socket"
        case variable = "PROMOD_SOCKET"
        case runtimeDirectory = "XDG_RUNTIME_DIR"
        case user = "XDG_RUNTIME_DIR names no directory"
    }

    init(_ option: SocketOption) {
        let variables = ProcessEnvironment().variables
        path = try? option.client.socketPath()
        if option.socket?.isEmpty == false {
            origin = .option
        } else if variables["PROMOD_SOCKET"]?.isEmpty == false {
            origin = .variable
        } else {
            origin = path == (variables["XDG_RUNTIME_DIR"] ?? "") + Self.usual ? .runtimeDirectory : .user
        }
    }

    /// Whether it is the place at which the units of this user are expected to listen.
    var isUnits: Bool { origin == .runtimeDirectory || origin == .user }

    /// What is wrong with the place, if nothing answers there; nil if nothing is.
    /// - Parameter unitsPath: the path at which the unit listens; nil if it is not known.
    func finding(unitsPath: String?) -> Finding? {
        guard let path else { return nil }
        let here = "This shell looks for promod at \(path) (\(origin.rawValue))"
        if let other = elsewhere(besides: path, unitsPath) {
            return Finding(
                "\(here), but promod listens at \(other).",
                advice: origin == .option
                    ? "Leave out --socket, or name the other path." : "Run: export PROMOD_SOCKET=\(other)")
        }
        var existing = path
        while existing.count > 1, stat(of: existing) == nil { existing = existing.directory }
        guard let status = stat(of: existing), status.st_uid != getuid() else { return nil }
        // A directory such as /tmp is for all.
        guard origin == .runtimeDirectory || status.st_uid != 0 || status.kind != S_IFDIR else { return nil }
        return Finding(
            "\(here), but \(existing) belongs to the user with the id \(status.st_uid), not \(getuid()).",
            advice: isUnits
                ? "Run it as that user, without sudo; or log in as \(UserName.current), because su and sudo start no session."
                : "promod answers only its own user. Leave out \(origin.rawValue) for your own.")
    }

    private static let usual = "/promod/promod.sock"

    /// Another socket at which a promod of this user listens. Only known places are looked at, because any other may be a test's.
    private func elsewhere(besides path: String, _ unitsPath: String?) -> String? {
        let variable = ProcessEnvironment().variables["PROMOD_SOCKET"]
        return [unitsPath, variable, "/run/user/\(getuid())\(Self.usual)"].compactMap(\.self).first {
            $0 != path && UnixAddress.hasListener(at: $0) && stat(of: $0)?.st_uid == getuid()
        }
    }
}
