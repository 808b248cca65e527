import Foundation
import PromoTestSupport
import Testing

/// A file in the repository's systemd folder, parsed as systemd parses units.
struct UnitFile {
    let lines: [String]

    init(_ name: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("systemd/" + name), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The settings in order, without comments.
    var settings: [(name: String, value: String)] {
        lines.filter { !$0.hasPrefix("#") }.compactMap { line in
            guard let equals = line.firstIndex(of: "=") else { return nil }
            return (String(line[..<equals]), String(line[line.index(after: equals)...]))
        }
    }

    /// All values of a setting, in order.
    func values(_ name: String) -> [String] { settings.filter { $0.name == name }.map(\.value) }
}

struct UnitFileTests {
    /// The settings that `systemd.exec(5)` implements with namespaces: in a user's manager they need PrivateUsers=.
    private static let ofNamespaces: Set = [
        "PrivateUsers", "ProtectSystem", "ProtectHome", "ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths",
        "TemporaryFileSystem", "BindPaths", "BindReadOnlyPaths", "PrivateTmp", "PrivateDevices", "PrivateNetwork",
        "PrivateIPC", "PrivateMounts", "ProtectProc", "ProcSubset", "ProtectClock", "ProtectControlGroups",
        "ProtectHostname", "ProtectKernelModules", "ProtectKernelLogs", "ProtectKernelTunables",
        "CapabilityBoundingSet", "AmbientCapabilities",
    ]

    @Test func withoutNamespacesEverySettingThatNeedsThemIsRemoved() throws {
        let wanted = Set(try UnitFile("promod.service").settings.map(\.name)).intersection(Self.ofNamespaces)
        let takenOut = try UnitFile("promod-confinement").settings.map(\.name)
        #expect(Set(takenOut) == wanted)
        #expect(takenOut.count == wanted.count)
    }

    @Test func theServiceLeavesToOthersWhatItMustNotOwn() throws {
        let unit = try UnitFile("promod.service")
        // A start would change the mode of the socket's directory, and a stop would delete the socket.
        #expect(unit.values("RuntimeDirectory").isEmpty)
        #expect(unit.values("ReadWritePaths").first?.split(separator: " ").contains("-%t/promod") == true)
        // It is below `~/.config` before systemd 254, and below `~/.local/state` from then on.
        #expect(unit.values("StateDirectory").isEmpty)
        // By default standard error goes where standard output goes, and the log with it.
        #expect(unit.values("StandardOutput") == ["null"])
        #expect(unit.values("StandardError") == ["journal"])
    }
}
