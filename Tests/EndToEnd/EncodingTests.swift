import PromoTestSupport
import Testing

/// A path that is not UTF-8 is refused, and does not become another path.
struct EncodingTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    /// Runs a line of a shell, in which `$bad` is not UTF-8 and `$@` is a program with its arguments.
    private func shell(_ line: String, _ program: String...) throws -> Ran {
        let script = "bad=$(printf '/caf\\351'); " + line
        return try Ran(["/bin/sh", "-c", script, "sh"] + program, DaemonUnderTest.environment(in: scratch))
    }

    @Test(arguments: [
        "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "PROMOD_SOCKET",
    ])
    func theDaemonRefusesAVariable(name: String) throws {
        for option in [[], ["--print-configuration"]] as [[String]] {
            let script = "export \(name)=$bad; exec \"$@\" \(option.joined(separator: " "))"
            let ran = try shell(script, DaemonUnderTest.binary)
            #expect((ran.code, ran.error) == (78, "promod: The environment variable \(name) is not valid UTF-8.\n"))
        }
    }

    @Test func promoctlRefusesTheVariableOfItsSocketUnlessAnotherIsGiven() throws {
        let ran = try shell("PROMOD_SOCKET=$bad exec \"$@\"", PromoctlUnderTest.binary, "status")
        #expect((ran.code, ran.error) == (69, "promoctl: The environment variable PROMOD_SOCKET is not valid UTF-8.\n"))
        let told = try shell(
            "PROMOD_SOCKET=$bad exec \"$@\"", PromoctlUnderTest.binary, "status", "--socket", scratch("none.sock"))
        #expect(told.error.contains("none.sock"))
    }

    @Test func anArgumentIsRefused() throws {
        for program in [DaemonUnderTest.binary, PromoctlUnderTest.binary] {
            let ran = try shell("exec \"$@\" $bad", program, "validate")
            #expect(ran.code == 64)
            #expect(ran.error.contains("Argument 2 is not valid UTF-8."))
        }
    }
}
