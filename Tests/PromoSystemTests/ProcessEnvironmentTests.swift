import PromoSystem
import Testing

struct ProcessEnvironmentTests {
    @Test func aVariableIsReadAsItIsAndOfTwoWithOneNameTheFirstCounts() throws {
        let entries = ["HOME=/home/é", "EMPTY=", "A=b=c", "NONE", "HOME=/b"].map { Array($0.utf8) }
        #expect(try ProcessEnvironment(entries).checked() == ["HOME": "/home/é", "EMPTY": "", "A": "b=c"])
    }
}
