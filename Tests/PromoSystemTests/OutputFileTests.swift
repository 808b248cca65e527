import Foundation
import PromoSystem
import Testing

/// What becomes of a file that is replaced, and of what is no file.
struct OutputFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "promod-\(UUID().uuidString)").path

    private func path(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory + "/" + name
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

    @Test func aFileIsReplacedAndKeepsItsMode() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = try path("page.html")
        try OutputFile(file).replace(with: Array("one".utf8))
        #expect(text(file) == "one")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try OutputFile(file).replace(with: Array("two".utf8))
        #expect(text(file) == "two")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        #expect(try names() == ["page.html"])
    }

    @Test func aDeviceIsWrittenToAndNotReplaced() throws {
        try OutputFile("/dev/null").replace(with: [1])
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
        let refusal = #expect(throws: OutputFile.Refusal.self) { try OutputFile("/dev/full").replace(with: [1]) }
        #expect(refusal?.description.hasPrefix("/dev/full cannot be written: ") == true)
    }

    @Test func whatCannotBeWrittenIsRefusedAndNothingIsLeft() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for place in [try path("nowhere/file"), directory, try path(String(repeating: "x", count: 300))] {
            #expect(throws: OutputFile.Refusal.self) { try OutputFile(place).replace(with: [1]) }
        }
        #expect(try names() == [])
    }
}
