import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

/// The units in the user's systemd.
struct Units {
    /// What is wrong with them.
    private(set) var findings: [Finding] = []
    /// What is good about them.
    private(set) var good: [String] = []
    /// The path at which the unit listens; nil if it is not known.
    private(set) var socketPath: String?
    /// Whether the user's systemd answers.
    private(set) var isAnswering = false
    /// A command of systemctl, without its last words.
    private let systemctl: [String]

    private static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "NRestarts", "Listen",
        "ConditionResult",
        "ConditionTimestampMonotonic",
    ]

    /// Asks the user's systemd, also if this shell has the environment of another user, as with su.
    /// - Parameter promodAnswers: whether promod runs without them.
    init(promodAnswers: Bool) {
        let directory = "/run/user/\(getuid())"
        let isOwn = stat(of: directory)?.st_uid == getuid()
        systemctl =
            (isOwn ? ["env", "-u", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR=\(directory)"] : [])
            + ["systemctl", "--user"]
        let show = ["show", "--property=" + Self.properties.joined(separator: ","), "promod.socket", "promod.service"]
        guard let (output, code) = try? Subprocess.run(systemctl + show, input: "", merging: true), code == 0 else {
            return
        }
        isAnswering = true
        for block in String(decoding: output, as: UTF8.self).split(separator: "\n\n") {
            let pairs = block.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let values = pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
            add(Dictionary(values) { first, _ in first }, promodAnswers)
        }
    }

    /// The finding if neither the user's systemd nor promod answers.
    static func silence(at path: String) -> Finding {
        let name = UserName.current
        let text = "promod does not answer at \(path), and"
        if stat(of: "/run/systemd/system") == nil {
            return Finding("\(text) there is no systemd to start it.", advice: "Run: \(StartHint.program)")
        }
        guard stat(of: "/run/user/\(getuid())") == nil else {
            return Finding(
                "\(text) \(name)'s user manager does not answer.", advice: "Log in again, or run: \(StartHint.program)")
        }
        return Finding(
            "\(text) \(name) has no session, so no systemd starts it.",
            advice: "Log in as \(name), or run as root: loginctl enable-linger \(name)")
    }

    private mutating func add(_ values: [String: String], _ promodAnswers: Bool) {
        guard let unit = values["Id"] else { return }
        let isSocket = unit == "promod.socket"
        // Such as "/run/user/1000/promod/promod.sock (Stream)".
        if isSocket { socketPath = values["Listen"]?.split(separator: " ").first.map(String.init) }
        let active = values["ActiveState"] ?? "unknown"
        let restarts = values["NRestarts"].flatMap(Int.init) ?? 0
        let count = restarts > 0 ? ", after \(restarts.counting("restart"))" : ""
        let state = "\(unit) is \(active)\(count)"
        let log = "Look for the reason with: journalctl --user -u \(unit) -n 20"
        if values["LoadState"] == "not-found", promodAnswers {
            good.append("\(unit) is not installed for this user.")
        } else if values["LoadState"] == "not-found" {
            add("\(unit) is not installed for this user", "Install promod's package, or run: \(StartHint.program)")
        } else if values["LoadState"] == "masked" {
            add("\(unit) is masked", "Run: systemctl --user unmask \(unit)")
        } else if active == "failed" || values["SubState"] == "auto-restart" {
            add(
                "\(state): \(values["Result"] ?? "unknown")", "\(log), and then: \(StartHint.service)"
            )
        } else if isSocket, active != "active", values["ConditionResult"] == "no",
            values["ConditionTimestampMonotonic"] != "0"
        {
            add("\(state), because its conditions refuse the user \(UserName.current)", "Run: \(StartHint.program)")
        } else if isSocket, active != "active" {
            add(state, "Run: systemctl --user enable --now \(unit)")
        } else if isSocket, values["UnitFileState"] == "disabled", !isEnabled(unit) {
            add("\(state), but not after the next login", "Run: systemctl --user enable \(unit)")
        } else {
            good.append("\(state).")
        }
    }

    /// Whether the files on disk enable a unit. What "show" says may be older, as after an enabling for all users.
    private func isEnabled(_ unit: String) -> Bool {
        (try? Subprocess.run(systemctl + ["is-enabled", unit], input: ""))?.code == 0
    }

    private mutating func add(_ text: String, _ advice: String) { findings.append(Finding("\(text).", advice: advice)) }
}
