@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

struct CrashHistoryTests {
    private let noon = Timestamp(seconds: 1_795_262_400)

    /// The history after crashes in a row, each after the given lifetime.
    private func history(crashes: Int, after life: Duration = .seconds(1)) -> CrashHistory {
        var (history, now) = (CrashHistory(after: nil, now: noon), noon)
        for _ in 0..<crashes {
            now = now + life
            history = CrashHistory(after: history, now: now)
        }
        return history
    }

    @Test(arguments: [0, 1, 2, 3]) func theFirstThreeCrashesInARowCostNoPause(crashes: Int) {
        #expect(history(crashes: crashes).crashes == crashes)
        #expect(history(crashes: crashes).pause == .zero)
    }

    @Test func fromTheFourthOnThePauseDoublesUpToHalfAMinute() {
        let pauses = (4...14).map { history(crashes: $0).pause.milliseconds }
        #expect(pauses == [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000])
        #expect(CrashHistory(fileBytes: Array("0 \(Int.max) 0\n".utf8))?.pause == .seconds(30))
    }

    @Test func aPromodThatRanForAMinuteRestartsTheCount() {
        let before = history(crashes: 9)
        #expect(CrashHistory(after: before, now: before.startedAt + .seconds(59)).crashes == 10)
        #expect(CrashHistory(after: before, now: before.startedAt + .seconds(60)).crashes == 1)
    }

    @Test func aClockThatWasSetBackResetsNoCrashCount() {
        let before = history(crashes: 9)
        #expect(CrashHistory(after: before, now: before.startedAt - .seconds(86_400)).crashes == 10)
    }

    @Test func aHistoryComesBackAsItWasWritten() {
        let history = history(crashes: 5)
        #expect(CrashHistory(fileBytes: history.fileBytes) == history)
    }

    @Test(arguments: [
        "", "\n", "1", "1 2", "1 2 3 4", "x 1 0", "1 x 0", "1 -1 0", "1 1 -1", "1 1 10", "\u{0}\u{FF} 9 0",
        "99999999999999999999 1 0",
    ])
    func bytesThatAreNotAHistoryAreRefused(text: String) {
        #expect(CrashHistory(fileBytes: Array(text.utf8)) == nil)
    }

    @Test func theCountNeverOverflows() throws {
        let before = try #require(CrashHistory(fileBytes: Array("\(noon.milliseconds) \(Int.max) 0\n".utf8)))
        #expect(CrashHistory(after: before, now: noon).crashes == .max)
    }
}

struct CrashFileTests {
    private let scratch: ScratchDirectory
    private let noon = Timestamp(seconds: 1_795_262_400)

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func begun() throws -> CrashGuard {
        let crashes = CrashGuard(try file())
        _ = crashes.begin(now: noon)
        return crashes
    }

    private func file() throws -> CrashFile {
        try #require(CrashFile(environment: ["NOTIFY_SOCKET": "/n", "XDG_RUNTIME_DIR": scratch.path]))
    }

    @Test func aFileThatIsStillThereCountsAsACrash() throws {
        #expect(try file().begin(now: noon).crashes == 0)
        #expect(try file().begin(now: noon + .seconds(1)).crashes == 1)
        #expect(try file().begin(now: noon + .seconds(2)).crashes == 2)
    }

    @Test func anOrderlyEndLeavesNoMark() throws {
        _ = try file().begin(now: noon)
        _ = try file().begin(now: noon)
        try file().end()
        try file().end()
        #expect(try file().begin(now: noon).crashes == 0)
    }

    @Test func aFileThatIsNotValidCountsAsNoCrash() throws {
        try scratch.write("promod/running", "gibberish")
        #expect(try file().begin(now: noon).crashes == 0)
        #expect(try file().begin(now: noon).crashes == 1)
    }

    @Test func aDirectoryThatCannotBeWrittenDelaysNoStart() throws {
        try scratch.write("promod", "a file in its place")
        for _ in 0..<9 { #expect(try file().begin(now: noon).crashes == 0) }
    }

    @Test func afterThreeLoadsWithoutAnEndTheCacheIsNotLoaded() throws {
        for _ in 0..<3 {
            var history = try file().begin(now: noon)
            #expect(history.mayLoad)
            history.loads += 1
            try file().write(history)
        }
        for _ in 0..<3 {
            var isLoaded = true
            try begun().load { isLoaded = $0 }
            #expect(!isLoaded)
        }
        try file().end()
        #expect(try file().begin(now: noon).mayLoad)
    }

    @Test func aLoadThatWasLeftOutIsTriedAgainAndItsEndBeginsTheCountAnew() throws {
        for _ in 0..<3 {
            var history = try file().begin(now: noon)
            history.loads += 1
            try file().write(history)
        }
        let skipping = try begun()
        #expect(!skipping.mayLoad)
        var isLoaded = false
        skipping.loadAgain {
            isLoaded = true
            // As if promod ended here.
            #expect(scratch.read("promod/running").hasSuffix(" 3\n"))
        }
        #expect(isLoaded)
        #expect(try file().begin(now: noon).mayLoad)
        #expect(skipping.mayLoad)
    }

    @Test func aLoadThatEndsIsNotCounted() throws {
        for _ in 0..<9 {
            try begun().load { #expect($0) }
        }
    }

    @Test func withoutAManagerTheCacheIsAlwaysLoaded() {
        CrashGuard(nil).load { #expect($0) }
    }

    @Test func withoutAManagerThereIsNoFile() {
        #expect(CrashFile(environment: ["XDG_RUNTIME_DIR": scratch.path]) == nil)
        #expect(CrashFile(environment: ["NOTIFY_SOCKET": "/n"]) == nil)
        #expect(CrashFile(environment: ["NOTIFY_SOCKET": "/n", "XDG_RUNTIME_DIR": "relative"]) == nil)
    }
}
