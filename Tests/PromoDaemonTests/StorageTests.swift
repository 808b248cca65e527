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
        store = CatalogStore(directory: directory)
        contents = CatalogContents(
            SampleCatalog.bytes, of: try #require(HTTPSURL("https://example.com/c.json")),
            validators: Validators(etag: "\"a\\b\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"),
            at: Timestamp(seconds: 1_795_222_800))
    }

    private var catalogLog: CatalogLog { CatalogLog(logger: log.logger, name: "default", isOneOfSeveral: false) }

    /// Stores the catalog, and returns the failure if the disk refuses.
    private func write() -> Failure? { store.store(contents, catalogLog).problem }

    /// What is on disk, and why it is not served.
    private func load() -> (contents: CatalogContents?, problem: String?) {
        var findings = CatalogStore.Findings()
        let held = store.load(&findings, catalogLog)
        return (held?.contents, findings.problem?.message)
    }

    @Test func aCatalogComesBackAsItWasWritten() throws {
        #expect(load() == (nil, nil))
        #expect(write() == nil)
        #expect(load() == (contents, nil))
        for _ in 0..<2 {
            #expect(try store.clear(catalogLog).problem == nil)
            #expect(load() == (nil, nil))
        }
    }

    @Test func aDamagedFileIsSetAsideWithItsReasonAndNeverServed() throws {
        func replacing(_ old: String, _ new: String) -> ([UInt8]) -> [UInt8] {
            { Array(String(decoding: $0, as: UTF8.self).replacing(old, with: new).utf8) }
        }
        let damages: [(String, ([UInt8]) -> [UInt8])] = [
            ("an empty file", { _ in [] }), ("a cut file", { $0.dropLast(7) }), ("a longer file", { $0 + [0x20] }),
            ("a flipped bit", { bytes in bytes.dropLast() + [bytes[bytes.count - 1] ^ 1] }),
            ("no header", { bytes in Array(bytes.drop { $0 != 0x0A }.dropFirst()) }),
            ("another format", replacing("\"format\":1", "\"format\":0")),
            ("a header without a time", replacing("fetchedAt", "fetchedOn")),
        ]
        #expect(write() == nil)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
        for (name, damage) in damages {
            try Data(damage(whole)).write(to: URL(fileURLWithPath: store.path))
            let (served, text) = load()
            let problem = text ?? ""
            #expect(served == nil)
            #expect(problem.hasPrefix("The cached catalog is damaged: it"), "\(name)")
            #expect(problem.contains("set aside as \(directory.path(of: "catalog.damaged")), and"), "\(name)")
            #expect(log.messages.last == problem)
            #expect(load() == (nil, nil))
        }
    }

    /// Nothing is mapped where this file begins.
    @Test func aFileThatTheKernelCannotReadIsRefused() {
        #expect(throws: SystemError("read", "/proc/self/mem", number: EIO)) {
            try FileReader.read("/proc/self/mem", maximumBytes: 1000)
        }
    }

    @Test func aBundledCatalogIsReadAgainOnlyIfItsFileIsAnother() throws {
        try scratch.write("one", String(decoding: SampleCatalog.bytes, as: UTF8.self))
        var bundled = BundledCatalog(paths: [scratch("one")], source: .bundled)
        #expect(bundled.load(catalogLog) != nil)
        #expect(["one", "two"].map { bundled.renew([scratch($0)]) } == [false, true])
        #expect(bundled.load(catalogLog) == nil)
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
        #expect(first != nil)
        #expect(open.count == 1)
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

    @Test func aHardLinkNamedLikeALockKeepsItsMode() throws {
        try scratch.write("precious", "precious")
        chmod(scratch("precious"), 0o644)
        try directory.create()
        link(scratch("precious"), directory.path(of: "lock"))
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "lock")) }
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch("precious"))
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test func theBookOfANewerPromodStaysWithItsPictures() throws {
        let (book, picture) = ("{\"format\":4,\"icons\":[]}\n", String(repeating: "a", count: 32) + ".png")
        #expect(StoredIcon.isFileName(picture))
        try scratch.write("icons/book.json", book)
        try scratch.write("icons/\(picture)", "x")
        let store = IconStore(cache: PrivateDirectory(path: scratch.path))
        #expect(try store.write(IconBook()) == [])
        #expect(["book.json", picture].map { scratch.read("icons/\($0)") } == [book, "x"])
        try scratch.write("icons/book.json", book.replacing("4", with: "3"))
        #expect(try store.write(IconBook()) == [])
        #expect(scratch.read("icons/book.json") != book)
        #expect(scratch.read("icons/\(picture)") == "")
    }
}
