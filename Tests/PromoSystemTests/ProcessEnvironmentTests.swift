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
}
