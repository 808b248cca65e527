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
        (["HOME": "/home/somebody", "TMPDIR": "/tmp"], "/run/user/1000/promod/promod.sock"),
    ]

    private static func refusal(of environment: [String: String]) -> SocketPathTooLong? {
        do {
            _ = try SocketPath.resolve(environment: environment, userID: 0)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: environments)
    func theFirstVariableThatIsSetCounts(environment: [String: String], path: String) throws {
        #expect(try SocketPath.resolve(environment: environment, userID: 1000) == path)
    }

    @Test(arguments: [(0, "/run/user/0/promod/promod.sock"), (.max, "/run/user/4294967295/promod/promod.sock")])
    func withoutVariablesThePathIsInTheUsersRuntimeDirectory(userID: UInt32, path: String) throws {
        #expect(try SocketPath.resolve(environment: [:], userID: userID) == path)
    }

    @Test(arguments: [
        (["XDG_RUNTIME_DIR": "/run/user/7", "PROMOD_SOCKET": "/tmp/p.sock"], "/run/user/7/promod"),
        (["XDG_RUNTIME_DIR": "run"], "/run/user/1000/promod"), ([:], "/run/user/1000/promod"),
    ])
    func promodsOwnDirectoryIsInTheRuntimeDirectoryWhereverTheSocketIs(environment: [String: String], path: String) {
        #expect(SocketPath.ownDirectory(environment: environment, userID: 1000) == path)
    }

    @Test func aPathOfExactlyTheLimitIsAccepted() throws {
        let path = "/" + String(repeating: "x", count: SocketPath.maximumBytes - 1)
        #expect(try SocketPath.resolve(environment: ["PROMOD_SOCKET": path], userID: 0) == path)
    }

    @Test func aPathOneByteLongerIsRefused() {
        let path = "/" + String(repeating: "x", count: SocketPath.maximumBytes)
        #expect(Self.refusal(of: ["PROMOD_SOCKET": path])?.path == path)
    }

    @Test func aDerivedPathThatIsTooLongIsRefusedToo() {
        let directory = "/" + String(repeating: "x", count: SocketPath.maximumBytes)
        #expect(Self.refusal(of: ["XDG_RUNTIME_DIR": directory])?.path == directory + "/promod/promod.sock")
    }

    @Test func bytesAreCountedAndNotCharacters() {
        let path = "/" + String(repeating: "\u{D55C}", count: 35)
        #expect(path.count < SocketPath.maximumBytes)
        #expect(Self.refusal(of: ["PROMOD_SOCKET": path])?.path == path)
    }

    @Test func theLimitFitsASocketAddress() {
        #expect(SocketPath.maximumBytes < 108)
    }

    @Test func theErrorNamesThePathItsLengthTheLimitAndTheRemedy() throws {
        let path = "/" + String(repeating: "x", count: 149)
        let message = "\(try #require(Self.refusal(of: ["PROMOD_SOCKET": path])))"
        for part in [path, "150", "\(SocketPath.maximumBytes)", "PROMOD_SOCKET"] {
            #expect(message.contains(part))
        }
    }
}
