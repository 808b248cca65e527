@testable import PromoDaemon
import Synchronization
import Testing

/// Files that are read repeatedly.
struct ParsedFilesTests {
    private func names(_ files: ParsedFiles, _ text: String, _ path: String = "a") throws -> [String] {
        try files.file(Array(text.utf8), path: path).entries.map(\.name)
    }

    @Test func theSameBytesAreParsedOnceAndOthersEachTime() throws {
        let count = Mutex(0)
        let files = ParsedFiles { bytes, path throws(ConfigurationProblem) in
            count.withLock { $0 += 1 }
            return try ConfigurationFile(bytes, path: path)
        }
        for _ in 0..<3 { #expect(try names(files, "x = 1") == ["x"]) }
        #expect(count.withLock(\.self) == 1)
        #expect(try names(files, "y = 1") == ["y"])
        #expect(try names(files, "x = 1") == ["x"])
        #expect(try names(files, "x = 1", "b") == ["x"])
        #expect(count.withLock(\.self) == 4)
    }

    @Test func aBrokenFileIsTheSameProblemEachTime() throws {
        let files = ParsedFiles()
        let first = #expect(throws: ConfigurationProblem.self) { try names(files, "x = ") }
        let second = #expect(throws: ConfigurationProblem.self) { try names(files, "x = ") }
        #expect(first == second)
        #expect(try names(files, "x = 1") == ["x"])
    }
}
