import Glibc
@testable import PromoDaemon
import PromoTestSupport
import Testing

/// The socket that promod binds, its lock, and its directory.
struct ServedSocketTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch("promod/promod.sock") }
    private var directory: String { scratch("promod") }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// The failure to open a second socket at the path.
    private func failure(_ path: String) -> StartFailure? {
        do throws(StartFailure) {
            close(try ServedSocket(path: path).open())
            return nil
        } catch {
            return error
        }
    }

    @Test func theParentsOfTheDirectoryAreNeverMade() {
        let failure = failure(scratch("run/user/promod/promod.sock"))
        #expect(failure?.exitCode == .osError)
        #expect(mode(scratch("run")) == nil)
        for name in ["XDG_RUNTIME_DIR", "PROMOD_SOCKET"] { #expect(failure?.description.contains(name) == true) }
    }

    @Test(.enabled(if: getuid() == 0)) func aRuntimeDirectoryOfAnotherUserIsRefused() throws {
        try #require(mkdir(scratch("other"), 0o700) == 0)
        try #require(chown(scratch("other"), 12345, 12345) == 0)
        let directory = scratch("other/promod")
        let error = #expect(throws: StartFailure.self) {
            try ServedSocket(path: directory + "/promod.sock", ownDirectory: directory).open()
        }
        #expect(error?.exitCode == .osError)
        #expect(error?.description.contains("belongs to the user 12345; set") == true)
        #expect(mode(directory) == nil)
    }

    @Test func aRuntimeDirectoryInWhichOthersMayWriteIsMadePrivate() throws {
        try #require(mkdir(directory, 0o700) == 0)
        try #require(chmod(scratch.path, 0o777) == 0)
        #expect(tighten() == 1)
        #expect(mode(scratch.path) == 0o700)
    }

    @Test func theDirectoryOfARelativePathIsNotMadeAnywhere() {
        let name = "promod-\(UInt64.random(in: 0 ... .max))"
        #expect(failure("\(name)/promod.sock")?.exitCode == .osError)
        #expect([name, "/\(name)"].map(mode) == [nil, nil])
    }

    @Test func whatIsInheritedButNoSocketCannotBeListenedOn() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { _ = (close(ends[0]), close(ends[1])) }
        #expect(throws: StartFailure.self) { try ServedSocket(path: path, inherited: ends[0]).open() }
    }

    // MARK: The directory

    /// Has promod tighten its directory, and returns how often it says so.
    private func tighten() -> Int {
        let log = CollectedLog()
        ServedSocket(path: path, ownDirectory: directory).tightenDirectory(log.logger)
        return log.messages.count
    }

    @Test func whatALinkLeadsToStaysAsItIs() throws {
        try #require(mkdir(scratch("elsewhere"), 0o755) == 0)
        try scratch.link("promod", to: scratch("elsewhere"))
        #expect(tighten() == 0)
        #expect(mode(scratch("elsewhere")) == 0o755)
    }

    @Test(.enabled(if: getuid() == 0)) func aDirectoryOfAnotherUserStaysAsItIs() throws {
        try #require(mkdir(directory, 0o755) == 0)
        try #require(chown(directory, 61_234, 61_234) == 0)
        #expect(tighten() == 0)
        #expect(mode(directory) == 0o755)
    }
}
