import CrossPromoKit
import PromoWire

/// Checks the units in the user's systemd.
enum UnitCheck {
    private static let units = ["promod.socket", "promod.service"]
    private static let properties = ["Id", "LoadState", "ActiveState", "UnitFileState"]

    static func diagnoses() -> [Diagnosis] {
        let command = ["systemctl", "--user", "show", "--property=" + properties.joined(separator: ",")] + units
        guard let (output, code) = try? Subprocess.run(command, input: "", merging: true), code == 0 else {
            return [
                Diagnosis(
                    "Units", .warning,
                    "The user's systemd does not answer, so promod runs only if it is started by hand.")
            ]
        }
        return diagnoses(of: String(decoding: output, as: UTF8.self))
    }

    /// The diagnoses in the output of `systemctl show`.
    static func diagnoses(of text: String) -> [Diagnosis] {
        text.split(separator: "\n\n").compactMap { block in
            let pairs = block.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let values = Dictionary(
                pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }, uniquingKeysWith: { first, _ in first })
            return values["Id"].map { diagnosis($0, values) }
        }
    }

    private static func diagnosis(_ unit: String, _ values: [String: String]) -> Diagnosis {
        let active = values["ActiveState"] ?? "unknown"
        if values["LoadState"] == "not-found" {
            return Diagnosis(
                unit, .warning, "It is not installed for this user, so nothing starts promod when a request comes.")
        }
        if values["LoadState"] == "masked" {
            return Diagnosis(unit, .bad, "It is masked: systemctl --user unmask \(unit)")
        }
        if active == "failed" {
            return Diagnosis(
                unit, .bad,
                "It has failed. \"journalctl --user -u \(unit) -n 20\" says why; then: systemctl --user restart promod.socket"
            )
        }
        if unit.hasSuffix(".socket"), active != "active" {
            return Diagnosis(unit, .bad, "It is \(active): systemctl --user enable --now promod.socket")
        }
        if unit.hasSuffix(".socket"), values["UnitFileState"] == "disabled" {
            return Diagnosis(
                unit, .warning,
                "It is \(active), but will not be after the next login: systemctl --user enable promod.socket")
        }
        return Diagnosis(unit, .good, "It is \(active)")
    }
}
