import PromoWire
import Testing

/// One function derives the socket's path, for the daemon and its clients alike.
struct SocketPathTests {
    private static let environments: [([String: String], String)] = [
        (["PROMOD_SOCKET": "/tmp/p.sock", "XDG_RUNTIME_DIR": "/run/user/7"], "/tmp/p.sock"),
        (["PROMOD_SOCKET": "p.sock"], "p.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/promod/promod.sock"),
        ([:], "/run/user/1000/promod/promod.sock"),
        (["PROMOD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/promod/promod.sock"),
        (["PROMOD_SOCKET": "", "XDG_RUNTIME_DIR": ""], "/run/user/1000/promod/promod.sock"),
        (["XDG_RUNTIME_DIR": "run/user/7"], "/run/user/1000/promod/promod.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/7/snap.app"], "/run/user/1000/promod/promod.sock"),
        (["HOME": "/home/somebody", "TMPDIR": "/tmp"], "/run/user/1000/promod/promod.sock"),
        // A Flatpak that was given the host's, one that was not, and one without a directory of its own.
        (["XDG_RUNTIME_DIR": "/run/user/7", "FLATPAK_ID": "org.Acme"], "/run/user/7/promod/promod.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/8", "FLATPAK_ID": "org.Acme"], "/run/user/8/app/org.Acme/promod.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/8", "FLATPAK_ID": "org.Other"], "/run/user/8/promod/promod.sock"),
        (["XDG_RUNTIME_DIR": "/run/user/8", "FLATPAK_ID": ""], "/run/user/8/promod/promod.sock"),
    ]

    @Test(arguments: environments)
    func theFirstVariableThatIsSetCounts(environment: [String: String], path: String) throws {
        let missing: Set = ["/run/user/7/snap.app", "/run/user/8/promod", "/run/user/8/app/org.Other"]
        #expect(try SocketPath.resolve(environment: environment, userID: 1000) { !missing.contains($0) } == path)
    }

    @Test(arguments: [
        (["XDG_RUNTIME_DIR": "/run/user/7", "PROMOD_SOCKET": "/tmp/p.sock"], "/run/user/7/promod"),
        (["XDG_RUNTIME_DIR": "run"], "/run/user/1000/promod"), ([:], "/run/user/1000/promod"),
    ])
    func promodsOwnDirectoryIsInTheRuntimeDirectoryWhereverTheSocketIs(environment: [String: String], path: String) {
        #expect(
            SocketPath.ownDirectory(environment: environment, userID: 1000) { $0 != "/run/user/7/snap.app" } == path)
    }

    @Test func aPathOfAtMostTheLimitInBytesIsAcceptedAndALongerOneIsNamedWithTheRemedy() throws {
        func path(_ environment: [String: String]) throws -> String {
            try SocketPath.resolve(environment: environment, userID: 0) { _ in true }
        }
        #expect(SocketPath.maximumBytes < 108, "the limit of a socket's address")
        let longest = "/" + String(repeating: "x", count: SocketPath.maximumBytes - 1)
        #expect(try path(["PROMOD_SOCKET": longest]) == longest)
        for long in [["PROMOD_SOCKET": "/" + String(repeating: "한", count: 35)], ["XDG_RUNTIME_DIR": longest]] {
            #expect(throws: SocketPathTooLong.self) { try path(long) }
        }
        let refusal = try #require(throws: SocketPathTooLong.self) { try path(["PROMOD_SOCKET": longest + "x"]) }
        for part in [longest + "x", "\(SocketPath.maximumBytes + 1)", "\(SocketPath.maximumBytes)", "PROMOD_SOCKET"] {
            #expect("\(refusal)".contains(part))
        }
    }
}
