import Glibc
@testable import PromoDaemon
import PromoTestSupport
import Testing

struct SocketDirectoryTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch("promod") }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test(arguments: [0o755, 0o777, 0o701, 0o750] as [mode_t])
    func aDirectoryThatIsOpenToOthersIsTheUsersAloneAfterwards(before: mode_t) throws {
        #expect(mkdir(path, 0o700) == 0)
        #expect(chmod(path, before) == 0)
        #expect(SocketDirectory.tighten(path) == before)
        #expect(mode(path) == 0o700)
        #expect(SocketDirectory.tighten(path) == nil)
    }

    @Test(arguments: [0o700, 0o500] as [mode_t])
    func aDirectoryThatIsTheUsersAloneStaysAsItIs(before: mode_t) throws {
        #expect(mkdir(path, before) == 0)
        #expect(SocketDirectory.tighten(path) == nil)
        #expect(mode(path) == before)
    }

    @Test func whatALinkLeadsToStaysAsItIs() throws {
        #expect(mkdir(scratch("elsewhere"), 0o700) == 0)
        #expect(chmod(scratch("elsewhere"), 0o755) == 0)
        try scratch.link("promod", to: scratch("elsewhere"))
        #expect(SocketDirectory.tighten(path) == nil)
        #expect(mode(scratch("elsewhere")) == 0o755)
    }

    @Test func aDirectoryThatIsMissingIsNotMade() {
        #expect(SocketDirectory.tighten(path) == nil)
        #expect(mode(path) == nil)
    }

    @Test(.enabled(if: getuid() == 0)) func aDirectoryOfAnotherUserStaysAsItIs() throws {
        #expect(mkdir(path, 0o700) == 0)
        #expect(chmod(path, 0o755) == 0 && chown(path, 61_234, 61_234) == 0)
        #expect(SocketDirectory.tighten(path) == nil)
        #expect(mode(path) == 0o755)
    }
}
