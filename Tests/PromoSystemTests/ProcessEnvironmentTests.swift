import PromoSystem
import Testing

/// The environment, read as bytes.
struct ProcessEnvironmentTests {
    private func environment(_ entries: [UInt8]...) -> ProcessEnvironment { ProcessEnvironment(entries) }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func aVariableIsReadAsItIs() throws {
        let variables = try environment(bytes("HOME=/home/é"), bytes("EMPTY="), bytes("A=b=c"), bytes("NONE")).checked()
        #expect(variables == ["HOME": "/home/é", "EMPTY": "", "A": "b=c"])
    }

    @Test func ofTwoVariablesWithOneNameTheFirstCounts() {
        #expect(environment(bytes("HOME=/a"), bytes("HOME=/b")).variables == ["HOME": "/a"])
    }

    @Test(arguments: [
        "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS",
        "XDG_DATA_HOME", "XDG_DATA_DIRS",
        "PROMOD_SOCKET", "PROMOD_CATALOG_CA_FILE", "PROMOD_\u{301}",
    ])
    func aPathThatIsNotUTF8IsRefused(name: String) {
        let environment = environment(bytes("LANG=C"), bytes("\(name)=/home/caf") + [0xE9])
        #expect(throws: InvalidVariable(name: name)) { try environment.checked() }
        #expect(environment.variables == ["LANG": "C"])
    }

    @Test func aNameThatIsNotUTF8IsRefusedIfItBeginsWithPROMOD() throws {
        #expect(throws: InvalidVariable.self) { try environment(bytes("PROMOD_") + [0xFF] + bytes("=1")).checked() }
        #expect(try environment([0xFF] + bytes("=1")).checked() == [:])
    }

    @Test func otherVariablesMayBeAnything() throws {
        let environment = environment(bytes("LESS=") + [0xFF], bytes("XDG_SEAT=") + [0xFF], bytes("A=1"))
        #expect(try environment.checked() == ["A": "1"])
    }

    @Test func theErrorNamesTheVariable() {
        #expect("\(InvalidVariable(name: "HOME"))" == "The environment variable HOME is not valid UTF-8.")
    }

    @Test func theEnvironmentOfThisProcessIsRead() throws {
        #expect(try ProcessEnvironment().checked()["PATH"]?.isEmpty == false)
    }
}
