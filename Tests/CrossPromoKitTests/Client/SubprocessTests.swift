import CrossPromoKit
import Glibc
import PromoTestSupport
import PromoSystem
import Testing

/// Running other programs.
@Suite(.timeLimit(.minutes(15))) struct SubprocessTests {
    private func code(_ script: String, output: Subprocess.Output = .none) throws -> Int32? {
        try Subprocess(["sh", "-c", script], output: output).wait(until: .after(.seconds(30)))
    }

    @Test(
        arguments: [
            ("exit 0", 0), ("exit 255", 255), ("kill -9 $$", 137),
        ] as [(String, Int32)])
    func theCodeIsThatOfTheProgramOrOfTheSignal(script: String, expected: Int32) throws {
        #expect(try code(script) == expected)
        #expect(try Subprocess(["/bin/sh", "-c", script], output: .none).wait() == expected)
    }

    @Test func aProgramThatIsNotThereIsNamed() {
        let failure = #expect(throws: Subprocess.Failure.self) {
            try Subprocess(["no-such-program"], output: .none)
        }
        #expect(failure?.description == "cannot start no-such-program: no such file or directory")
    }

    @Test func argumentsArriveAsTheyAre() throws {
        let arguments = [
            "sh", "-c", "[ \"$1\" = 'a b;$c' ] && [ \"$2\" = 독서 ] && [ -z \"$3\" ]", "sh", "a b;$c", "독서", "",
        ]
        #expect(try Subprocess(arguments, output: .none).wait() == 0)
    }

    @Test func withoutOutputAProgramHasNoInputEither() throws {
        #expect(
            try code("for n in 0 1 2; do [ $(readlink /proc/$$/fd/$n) = /dev/null ] || exit $((n + 10)); done") == 0)
    }

    @Test func aProgramThatRunsOnIsWaitedForUntilTheDeadline() throws {
        let scratch = try ScratchDirectory()
        mkfifo(scratch("gate"), 0o600)
        let child = try Subprocess(["sh", "-c", "read line < \(scratch("gate")); exit 5"], output: .none)
        #expect(child.wait(until: .after(.milliseconds(50))) == nil)
        try "\n".withCString { line in
            let gate = open(scratch("gate"), O_WRONLY)
            defer { close(gate) }
            try #require(write(gate, line, 1) == 1)
        }
        #expect(child.wait(until: .after(.seconds(30))) == 5)
        #expect(child.wait() == nil)
    }
}
