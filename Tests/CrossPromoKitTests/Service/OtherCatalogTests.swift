import CrossPromoKit
import PromoTestSupport
import Testing

/// A host app that expects a certain catalog.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct OtherCatalogTests {
    private func service(expecting jsonURL: String, kept: String?) async throws -> (PromoService, ScriptedDaemon) {
        let daemon = try ScriptedDaemon(Replies.daemon("status") { _ in .result(Replies.status(url: kept)) })
        let service = try PromoService(of: daemon, jsonURL: jsonURL)
        await service.loadApps()
        return (service, daemon)
    }

    @Test(
        arguments: [
            "https://a.example/apps.json", "https://user:secret@a.example/apps.json",
            "https://a.example/apps.json?key=1",
            "https://a.example/apps.json#part", "HTTPS://A.EXAMPLE/apps.json",
        ])
    func ifItIsTheOneThatPromodKeepsTheListIsLoaded(jsonURL: String) async throws {
        let (service, _) = try await service(expecting: jsonURL, kept: "https://a.example/apps.json")
        #expect(service.error == nil)
        #expect(service.ids == ["bookary", "stedio"])
    }

    @Test func ifItIsAnotherTheErrorNamesBothAndWhatToDo() async throws {
        let (service, daemon) = try await service(
            expecting: "https://me:secret@b.example/mine.json?key=1", kept: "https://a.example/apps.json")
        let error = try #require(service.error)
        #expect(error.code == .otherCatalog)
        for part in [" https://b.example/mine.json,", " https://a.example/apps.json.", "promoctl setup"] {
            #expect(error.message.contains(part))
        }
        #expect(!error.message.contains("secret"))
        #expect(service.state == .empty(canRetry: true))
        #expect(daemon.requests("list").isEmpty)
    }

    @Test func ifPromodHasNoneTheErrorSaysSo() async throws {
        let (service, _) = try await service(expecting: "https://b.example/mine.json", kept: nil)
        let error = try #require(service.error)
        for part in ["https://b.example/mine.json", "no catalog.url", "sample", "promoctl setup"] {
            #expect(error.message.contains(part))
        }
    }

    @Test func anAddressThatNoCatalogCanHaveIsAlwaysAnother() async throws {
        let (service, _) = try await service(
            expecting: "http://a.example/apps.json", kept: "https://a.example/apps.json")
        #expect(service.error?.code == .otherCatalog)
        #expect(service.error?.message.contains("http://a.example/apps.json") == true)
    }

    @Test func aListThatWasShownStaysIfPromodChangesItsCatalog() async throws {
        let (service, daemon) = try await service(
            expecting: "https://a.example/apps.json", kept: "https://a.example/apps.json")
        daemon.answer(Replies.daemon("status") { _ in .result(Replies.status(url: "https://b.example/apps.json")) })
        await service.loadApps()
        #expect(service.error?.code == .otherCatalog)
        #expect(service.state == .cached)
        #expect(service.ids == ["bookary", "stedio"])
    }

    @Test func aMalformedStatusIsABadReply() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("status") { _ in .result("{\"version\":\"1\"}") })
        let service = try PromoService(of: daemon, jsonURL: "https://a.example/apps.json")
        await service.loadApps()
        #expect(service.error?.code == .badReply)
    }
}
