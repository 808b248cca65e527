import Glibc
@testable import PromoDaemon
import PromoTestSupport
import Testing

struct ListeningSocketTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch("promod/promod.sock") }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func theSocketIsTheUsersAloneFromItsFirstMomentOn() throws {
        let socket = try ListeningSocket.bind(path)
        defer { close(socket.descriptor) }
        #expect(mode(path) == 0o600)
        #expect(mode(scratch("promod")) == 0o700)
        socket.remove()
        #expect(mode(path) == nil)
    }

    @Test func aSocketThatIsServedIsNotReplaced() throws {
        let socket = try ListeningSocket.bind(path)
        defer { close(socket.descriptor) }
        #expect(listen(socket.descriptor, 8) == 0)
        #expect(throws: ListeningSocket.Failure.taken(pid: Int(getpid()))) { try ListeningSocket.bind(path) }
        #expect(mode(path) == 0o600)
    }

    /// A daemon that was killed while it started a fetch leaves its descriptors to the child until the child's exec.
    @Test func aLockIsWaitedForWhileNobodyServes() throws {
        try PrivateDirectory(path: scratch("promod")).create()
        var left: LockFile? = try LockFile.take(path + ".lock", isSecret: true)
        var pauses = 0
        #expect(throws: ListeningSocket.Failure.taken(pid: nil)) { try ListeningSocket.bind(path) { pauses += 1 } }
        #expect(pauses >= 49)
        #expect(left != nil)
        let socket = try ListeningSocket.bind(path) { left = nil }
        close(socket.descriptor)
    }

    @Test func aSocketThatNobodyServesIsReplaced() throws {
        try scratch.write("promod/other", "")
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let text = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(left)
        let socket = try ListeningSocket.bind(path)
        #expect(mode(path) == 0o600)
        close(socket.descriptor)
    }

    @Test func theDirectoryOfARelativePathIsNotMadeAnywhere() {
        let name = "promod-\(UInt64.random(in: 0 ... .max))"
        #expect(throws: ListeningSocket.Failure.self) { try ListeningSocket.bind("\(name)/promod.sock") }
        #expect(mode(name) == nil && mode("/\(name)") == nil)
    }

    @Test func whatIsNotASocketIsNeitherReplacedNorRemoved() throws {
        try scratch.write("promod/promod.sock", "somebody's file")
        #expect(throws: ListeningSocket.Failure.self) { try ListeningSocket.bind(path) }
        #expect(scratch.read("promod/promod.sock") == "somebody's file")
    }
}
