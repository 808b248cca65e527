import Foundation
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// A signed catalog is never replaced by an older one, whatever happened to the cache.
struct SignedCatalogTests {
    private let key = PrivateKey()
    private let stage: Stage
    private let old, new: [UInt8]

    init() throws {
        stage = try Stage(key: key.publicKey)
        old = try CatalogSignature.sign(SampleCatalog.bytes, with: key, at: stage.now - .seconds(7200))
        new = try CatalogSignature.sign(SampleCatalog.bytes, with: key, at: stage.now - .seconds(3600))
    }

    private func body(_ bytes: [UInt8]) -> OriginReply { .body(bytes, Validators()) }

    private func begin(with bytes: [UInt8]) {
        stage.origin.answer(body(bytes))
        stage.settle()
    }

    private func refresh(_ stage: Stage, with bytes: [UInt8]) -> RefreshResult? {
        stage.advance(.seconds(10))
        let refresh = stage.ask(.refresh(.init()))
        stage.origin.answer(body(bytes))
        return refresh.result
    }

    @Test func aReplayIsAFailureUntilAGoodCatalogComes() throws {
        begin(with: new)
        let fetchedAt = stage.snapshot.catalog.served?.fetchedAt
        for failures in 1...2 {
            let result = refresh(stage, with: old)
            #expect(result?.outcome == .failed && result?.error?.code == .signature)
            #expect(stage.snapshot.catalog.refresh.lastError?.code == .signature)
            #expect(stage.snapshot.catalog.refresh.attempt == failures)
            #expect(stage.snapshot.catalog.served?.fetchedAt == fetchedAt, "a replay confirms nothing")
        }
        #expect(refresh(stage, with: new)?.outcome == .unchanged)
        #expect(stage.snapshot.catalog.refresh.lastError == nil)
    }

    @Test func theNewestSignatureOutlivesAClearTheRemovalOfTheCacheAndARestart() throws {
        begin(with: new)
        #expect(stage.ask(.clear).result(as: ClearResult.self) != nil)
        #expect(refresh(stage, with: old)?.error?.code == .signature)
        #expect(stage.snapshot.catalog.served == nil)
        try FileManager.default.removeItem(atPath: stage.scratch("cache"))
        let again = try Stage(scratch: stage.scratch, key: key.publicKey)
        again.origin.answer(body(old))
        again.settle()
        #expect(again.snapshot.catalog.served == nil)
        #expect(again.snapshot.catalog.refresh.lastError?.code == .signature)
        #expect(refresh(again, with: new)?.outcome == .updated)
    }

    @Test func aReplayedFileInTheCacheIsNotServed() throws {
        begin(with: old)
        let file = stage.scratch.read("cache/catalog")
        #expect(refresh(stage, with: new)?.outcome == .updated)
        try stage.scratch.write("cache/catalog", file)
        let again = try Stage(scratch: stage.scratch, key: key.publicKey)
        #expect(again.snapshot.catalog.served == nil)
        #expect(again.snapshot.catalog.cache.error?.contains("before the one that was accepted last") == true)
    }

    @Test func aChangeOfTheKeyAndBackForgetsNothing() throws {
        begin(with: new)
        let other = PrivateKey()
        stage.configure(url: "https://example.com/c.json", key: other.publicKey)
        stage.onPlane { _ = try? $0.reload() }
        let first = try CatalogSignature.sign(SampleCatalog.bytes, with: other, at: stage.now - .seconds(32_400))
        #expect(refresh(stage, with: first)?.outcome == .updated, "another key begins anew")
        stage.configure(url: "https://example.com/c.json", key: key.publicKey)
        stage.onPlane { _ = try? $0.reload() }
        #expect(refresh(stage, with: old)?.error?.code == .signature)
    }

    @Test func aDamagedFileIsSetAsideAndTheCatalogIsServed() throws {
        begin(with: new)
        try stage.scratch.write("state/signatures.json", "{}")
        let again = try Stage(scratch: stage.scratch, key: key.publicKey)
        #expect(again.snapshot.catalog.served != nil)
        #expect(again.scratch.read("state/signatures.json.damaged") == "{}")
        #expect(SignatureBook(fileBytes: Array(again.scratch.read("state/signatures.json").utf8)) != nil)
        #expect(refresh(again, with: old)?.error?.code == .signature, "the catalog that is served is entered again")
    }

    @Test func ifTheDiskRefusesTheSignatureIsKnownUntilTheEnd() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state", "a file in the directory's place")
        let stage = try Stage(scratch: scratch, key: key.publicKey)
        stage.origin.answer(body(new))
        stage.settle()
        #expect(stage.snapshot.catalog.served != nil)
        #expect(stage.snapshot.catalog.cache.error?.contains("an older signed catalog may be accepted") == true)
        #expect(refresh(stage, with: old)?.error?.code == .signature)
    }

    /// Otherwise the catalog in the cache would be refused after a restart, and there would be no other.
    @Test func theSignatureOfACatalogThatTheDiskRefusedIsKnownUntilTheEnd() throws {
        begin(with: old)
        let trap = stage.scratch("cache/.catalog.new")
        try FileManager.default.createDirectory(atPath: trap, withIntermediateDirectories: false)
        let result = refresh(stage, with: new)
        #expect(result?.outcome == .updated && result?.error?.code == .storage)
        #expect(refresh(stage, with: old)?.error?.code == .signature)
        let again = try Stage(scratch: stage.scratch, key: key.publicKey)
        #expect(again.snapshot.catalog.served != nil)
        try FileManager.default.removeItem(atPath: trap)
        #expect(refresh(stage, with: new)?.error == nil)
        let last = try Stage(scratch: stage.scratch, key: key.publicKey)
        #expect(last.snapshot.catalog.served != nil)
        #expect(refresh(last, with: old)?.error?.code == .signature)
    }

    @Test func aReplayStaysTheReasonThroughOtherFailures() throws {
        begin(with: new)
        _ = refresh(stage, with: old)
        for status in 404...406 {
            stage.advance(.seconds(10))
            let refresh = stage.ask(.refresh(.init()))
            stage.origin.answer(
                .failed(Failure(.httpStatus, "It answers \(status)."), httpStatus: status, retryAfter: nil))
            #expect(refresh.result?.error?.code == .httpStatus)
            let error = stage.snapshot.catalog.refresh.lastError
            #expect(error?.code == .signature && error?.message.hasSuffix(" Since then: It answers \(status).") == true)
        }
        let again = try Stage(scratch: stage.scratch, key: key.publicKey)
        #expect(again.snapshot.catalog.refresh.lastError?.code == .signature)
        #expect(refresh(stage, with: new)?.outcome == .unchanged)
        #expect(stage.snapshot.catalog.refresh.lastError == nil)
    }

    @Test func theSignatureIsOnDiskWhenTheCatalogIsServed() throws {
        let state = stage.scratch("state/signatures.json")
        #expect(!FileManager.default.fileExists(atPath: state))
        let served = stage.awaitFetch()
        stage.origin.answer(body(new))
        #expect(served.pass())
        let text = stage.scratch.read("state/signatures.json")
        #expect(text.contains((stage.now - .seconds(3600)).rfc3339) && stage.snapshot.catalog.served != nil)
    }

    @Test func withoutAKeyThereIsNoFile() throws {
        let stage = try Stage()
        stage.origin.answer(body(new))
        stage.settle()
        #expect(stage.snapshot.catalog.served != nil)
        #expect(stage.scratch.read("state/signatures.json").isEmpty)
    }
}
