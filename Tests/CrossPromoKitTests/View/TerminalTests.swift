import CrossPromoKit
import Testing

/// The capabilities of a terminal, by the environment.
struct TerminalTests {
    @Test(
        arguments: [
            (132, nil, 132), (132, "40", 132), (nil, "40", 40), (nil, nil, 80), (nil, "wide", 80), (nil, "", 80),
            (20, nil, 20), (19, nil, 20), (1, nil, 20), (nil, "5", 20), (nil, "-3", 20), (0, nil, 20),
        ] as [(Int?, String?, Int)])
    func theKernelSaysHowWideItIsThenTheEnvironment(kernel: Int?, variable: String?, columns: Int) {
        let environment = ["TERM": "xterm", "COLUMNS": variable].compactMapValues { $0 }
        #expect(Terminal(columns: kernel, environment: environment).columns == columns)
    }

    @Test(
        arguments: [
            ("xterm-256color", true, true), ("screen", true, true), ("linux", true, false), ("vt100", true, false),
            ("eterm-color", true, false), ("dumb", false, false), ("", false, false), (nil, false, false),
        ] as [(String?, Bool, Bool)])
    func theKindOfTerminalDecidesAboutColoursAndLinks(kind: String?, hasColor: Bool, hasLinks: Bool) {
        let terminal = Terminal(columns: 80, environment: ["TERM": kind].compactMapValues { $0 })
        #expect([terminal.hasColor, terminal.hasLinks] == [hasColor, hasLinks])
    }
}
