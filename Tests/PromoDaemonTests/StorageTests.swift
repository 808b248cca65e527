import Foundation
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

struct StorageTests {
    private let scratch: ScratchDirectory
    private let directory: PrivateDirectory
    private let log = CollectedLog()
    private let store: CatalogStore
    private let contents: CatalogContents

    init() throws {
        scratch = try ScratchDirectory()
        directory = PrivateDirectory(path: scratch("deep/cache/promod"))
        store = CatalogStore(
            directory: directory, log: CatalogLog(logger: log.logger, name: "default", naming: CatalogLog.Naming()))
        contents = CatalogContents(
            SampleCatalog.bytes, of: try #require(HTTPSURL("https://example.com/c.json")),
            validators: Validators(etag: "\"a\\b\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"),
            at: Timestamp(seconds: 1_795_222_800))
    }

    /// Stores the catalog, and returns the failure if the disk refuses.
    private func write() throws -> Failure? {
        var held = try HeldCatalog(contents, isStored: false)
        let refusal = store.store(&held)
        #expect(held.isStored == (refusal == nil))
        return refusal
    }

    @Test func aCatalogComesBackAsItWasWritten() throws {
        #expect(store.load() == nil && store.problem == nil)
        #expect(try write() == nil)
        #expect(store.load()?.contents == contents && store.load()?.isStored == true)
        for _ in 0..<2 {
            #expect(store.clear() == nil)
            #expect(store.load() == nil && store.problem == nil)
        }
    }

    @Test func theFirstLineIsTheHeaderAndTheRestIsTheCatalogByteForByte() throws {
        #expect(try write() == nil)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        let header = try #require(try JSONSerialization.jsonObject(with: bytes[..<end]) as? [String: Any])
        #expect(header["url"] as? String == "https://example.com/c.json")
        #expect(header["bytes"] as? Int == SampleCatalog.bytes.count)
        #expect(Array(bytes[(end + 1)...]) == SampleCatalog.bytes)
    }

    @Test func aFilesystemThatConfirmsNoWriteIsReportedOnce() throws {
        let unsure = CatalogStore(
            directory: PrivateDirectory(path: directory.path, synchronize: { _ in -1 }),
            log: CatalogLog(logger: log.logger, name: "default", naming: CatalogLog.Naming()))
        var held = try HeldCatalog(contents, isStored: false)
        for _ in 1...3 { #expect(unsure.store(&held) == nil) }
        #expect(log.messages.count == 1 && log.messages.first?.contains("a power cut may undo that") == true)
    }

    @Test func directoriesAreMadeForTheUserAloneAndFilesToo() throws {
        #expect(try write() == nil)
        for (path, mode) in [(directory.path, 0o700), (scratch("deep"), 0o700), (store.path, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o777 == mode)
        }
    }

    @Test func aTemporaryFileLeftByACrashIsOverwritten() throws {
        try directory.create()
        try scratch.write("deep/cache/promod/.catalog.new", String(repeating: "x", count: 100_000))
        #expect(try write() == nil)
        #expect(store.load()?.contents == contents)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["catalog"])
    }

    @Test func aDamagedFileIsSetAsideWithItsReasonAndNeverServed() throws {
        let damages: [(String, ([UInt8]) -> [UInt8])] = [
            ("an empty file", { _ in [] }), ("a cut file", { $0.dropLast(7) }), ("a longer file", { $0 + [0x20] }),
            ("a flipped bit", { bytes in bytes.dropLast() + [bytes[bytes.count - 1] ^ 1] }),
            ("no header", { bytes in Array(bytes.drop { $0 != 0x0A }.dropFirst()) }),
            (
                "another format",
                {
                    Array(
                        String(decoding: $0, as: UTF8.self).replacingOccurrences(
                            of: "\"format\":1", with: "\"format\":2"
                        ).utf8)
                }
            ),
            (
                "a header without a time",
                {
                    Array(
                        String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "fetchedAt", with: "fetchedOn")
                            .utf8)
                }
            ),
        ]
        #expect(try write() == nil)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
        for (name, damage) in damages {
            try Data(damage(whole)).write(to: URL(fileURLWithPath: store.path))
            #expect(store.load() == nil)
            let problem = store.problem ?? ""
            #expect(problem.hasPrefix("The cached catalog is damaged: it"), "\(name)")
            #expect(problem.contains("set aside as \(directory.path(of: "catalog.damaged")), and"), "\(name)")
            #expect(log.messages.last == String(problem.dropLast()))
            #expect(store.load() == nil && store.problem == nil)
        }
    }

    @Test func aDirectoryOrAFIFOInTheFilesPlaceIsUnreadableAndBlocksNothing() throws {
        try directory.create()
        mkfifo(store.path, 0o600)
        #expect(store.load() == nil && store.problem?.contains("cannot read") == true)
        try directory.remove("catalog")
        mkdir(store.path, 0o700)
        #expect(store.load() == nil)
        #expect(store.problem == "The cached catalog is not served: cannot read \(store.path): Is a directory.")
    }

    @Test func aFileOverTheLimitIsNotRead() throws {
        try scratch.write("large", String(repeating: "x", count: 1001))
        #expect(try FileReader.read(scratch("large"), maximumBytes: 1001)?.count == 1001)
        #expect(throws: SystemError("read", scratch("large"), number: EFBIG)) {
            try FileReader.read(scratch("large"), maximumBytes: 1000)
        }
    }

    @Test func aDiskThatRefusesLeavesTheOldFile() throws {
        #expect(try write() == nil)
        mkdir(directory.path(of: ".catalog.new"), 0o700)
        #expect(try write()?.code == .storage)
        #expect(store.load()?.contents == contents)
    }

    @Test func aPipeOrALinkInTheTemporaryFilesPlaceHangsNothingAndIsReplaced() throws {
        try directory.create()
        try scratch.write("precious", "precious")
        let temporary = directory.path(of: ".catalog.new")
        #expect(mkfifo(temporary, 0o600) == 0)
        #expect(try write() == nil)
        #expect(store.load()?.contents == contents)
        #expect(symlink(scratch("precious"), temporary) == 0)
        #expect(try write() == nil)
        #expect(scratch.read("precious") == "precious" && log.messages.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["catalog"])
    }

    @Test func aChangeThatTheDiskDoesNotConfirmIsMadeAndReportedAsUnsafe() throws {
        let unsure = PrivateDirectory(path: directory.path) { _ in
            errno = EIO
            return -1
        }
        let problem = SystemError("write", directory.path, number: EIO)
        #expect(try unsure.replace("a", with: [[0x61]]) == .notDurable(problem))
        #expect(try FileReader.read(unsure.path(of: "a"), maximumBytes: 9) == [0x61])
        #expect(try unsure.move("a", to: "b") == .notDurable(problem))
        #expect(try FileReader.read(unsure.path(of: "b"), maximumBytes: 9) == [0x61])
        #expect(try unsure.remove("b") == .notDurable(problem))
        #expect(try FileReader.read(unsure.path(of: "b"), maximumBytes: 9) == nil)
    }

    @Test func aPipeInTheLocksPlaceHangsNothing() throws {
        try directory.create()
        #expect(mkfifo(directory.path(of: "lock"), 0o600) == 0)
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "lock")) }
    }

    @Test func aLockIsHeldByOne() throws {
        try directory.create()
        let path = directory.path(of: "lock")
        var first: LockFile? = try LockFile.take(path)
        for _ in 0..<3 {
            #expect(throws: LockFile.Refusal.held) { try LockFile.take(path) }
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        #expect(first != nil && open.count == 1)
        first = nil
        _ = try LockFile.take(path)
    }

    /// As two promods with one home do, one of which begins while the other has written a half.
    @Test func twoWhoReplaceAFileAtOnceReplaceItWholeAndLeaveNothingElse() throws {
        let (directory, scratch) = (directory, scratch)
        let halves = ["first ", "half"].lazy.map { half in
            if half == "half" {
                #expect(throws: Never.self) { try directory.replace("a", with: [Array("second".utf8)]) }
                #expect(scratch.read("deep/cache/promod/a") == "second")
            }
            return Array(half.utf8)
        }
        #expect(try directory.replace("a", with: halves) == .durable)
        #expect(scratch.read("deep/cache/promod/a") == "first half")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a"])
    }

    @Test func aSymbolicLinkInTheLocksPlaceIsNotFollowed() throws {
        try scratch.write("precious", "precious")
        try directory.create()
        symlink(scratch("precious"), directory.path(of: "lock"))
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "lock")) }
        #expect(scratch.read("precious") == "precious" && log.messages.isEmpty)
    }

    @Test func aHardLinkInTheLocksPlaceIsNotOverwritten() throws {
        try scratch.write("precious", "precious")
        try directory.create()
        link(scratch("precious"), directory.path(of: "lock"))
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "lock")) }
        #expect(scratch.read("precious") == "precious" && log.messages.isEmpty)
    }

    @Test func aHardLinkNamedLikeALockKeepsItsMode() throws {
        try scratch.write("precious", "precious")
        chmod(scratch("precious"), 0o644)
        try directory.create()
        link(scratch("precious"), directory.path(of: "lock"))
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "lock"), isSecret: true) }
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch("precious"))
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }
}
