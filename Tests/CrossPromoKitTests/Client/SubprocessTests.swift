import CrossPromoKit
import Glibc
import PromoSystem
import Testing

/// Running other programs.
struct SubprocessTests {
    @Test(arguments: [("exit 0", 0), ("exit 255", 255), ("kill -9 $$", 128 + SIGKILL)])
    func theCodeIsThatOfTheProgramOrOfTheSignal(script: String, code: Int32) throws {
        #expect(try Subprocess(["/bin/sh", "-c", script], output: .none).wait() == code)
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
        let script = "for n in 0 1 2; do [ $(readlink /proc/$$/fd/$n) = /dev/null ] || exit $((n + 10)); done"
        #expect(try Subprocess(["sh", "-c", script], output: .none).wait() == 0)
    }
}
