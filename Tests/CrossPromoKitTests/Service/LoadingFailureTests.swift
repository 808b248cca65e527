import CrossPromoKit
import Foundation
import PromoTestSupport
import Synchronization
import Testing

/// Lists that could not be loaded.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LoadingFailureTests {
    @Test func withoutADaemonTheListIsEmptyAndSaysWhy() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        daemon.stop()
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.state == .empty(canRetry: true))
        #expect(service.error?.code == .daemonUnreachable)
        #expect(service.apps.isEmpty)
        #expect(!service.isLoading)
    }

    @Test(
        arguments: [
            (.refusal("busy"), .refused), (.end, .connectionLost), (.bytes("hello\n"), .badReply),
            (.result("{}"), .badReply),
            (.silence, .timedOut), (.endless, .timedOut),
        ] as [(ScriptedDaemon.Answer, PromoError.Code)])
    func anErrorKeepsTheLastListAndIsForgottenWithTheNext(answer: ScriptedDaemon.Answer, code: PromoError.Code)
        async throws
    {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon, timeout: .milliseconds(300))
        await service.loadApps()
        // A busy machine may have taken longer than that for the first list.
        while service.state != .loaded { await service.loadApps() }
        daemon.answer(Replies.daemon("list") { _ in answer })
        await service.loadApps()
        #expect(service.state == .cached)
        #expect(service.error?.code == code)
        #expect(service.ids == ["bookary", "stedio"])
        daemon.answer(Replies.daemon(["littory"]))
        while service.state != .loaded { await service.loadApps() }
        #expect(service.error == nil)
        #expect(service.ids == ["littory"])
    }

    @Test func aSlowDaemonDoesNotBlockTheCaller() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .silence })
        let service = try PromoService(of: daemon, timeout: .milliseconds(200))
        _ = await ContinuousClock().measure { await service.loadApps() }
        #expect(service.state == .empty(canRetry: true))
        #expect(service.error?.code == .timedOut)
    }

    private nonisolated static let required = [
        "state", "source", "canRetry", "apps", "id", "name", "iconURL", "category",
        "tagline",
        "storeURL", "en",
    ]
    /// Members that may be null or absent.
    private nonisolated static let optional = ["generation", "fetchedAt", "expiresAt", "retryAt", "hostKnown", "ko"]

    @Test(arguments: required + optional)
    func aMemberOfAnotherKindIsABadReplyThatNamesIt(member: String) async throws {
        var values: [String?] = ["17.5", "[[]]", "\"\\u0000\""]
        if Self.required.contains(member) { values += ["null", nil] }
        for value in values where !Self.isText(value, of: member) {
            let list = try #require(Self.list(with: member, value))
            let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(list) })
            let service = try PromoService(of: daemon)
            await service.loadApps()
            #expect(service.error?.code == .badReply, "\(list)")
            #expect(service.error?.message.contains("\"\(member)\"") == true, "\(list)")
            #expect(service.apps.isEmpty)
        }
    }

    @Test(arguments: optional)
    func anOptionalMemberMayBeAbsent(member: String) async throws {
        for value in ["null", nil] {
            let list = try #require(Self.list(with: member, value))
            let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(list) })
            let service = try PromoService(of: daemon)
            await service.loadApps()
            #expect(service.state == .loaded, "\(list)")
        }
    }

    /// Whether the value is a string, and the member takes any string.
    private static func isText(_ value: String?, of member: String) -> Bool {
        value?.hasPrefix("\"") == true
            && !["state", "source", "fetchedAt", "expiresAt", "canRetry", "retryAt", "hostKnown", "apps", "tagline"]
                .contains(member)
    }

    /// A list in which the first member with a name has another value, or is absent.
    private static func list(with member: String, _ value: String?) -> String? {
        var list = Replies.list(["bookary"])
        guard let name = list.range(of: "\"\(member)\":") else { return nil }
        var depth = 0
        var end = name.upperBound
        while end < list.endIndex {
            let character = list[end]
            if "[{".contains(character) { depth += 1 }
            if "]}".contains(character) { depth -= 1 }
            if depth < 0 || depth == 0 && character == "," { break }
            end = list.index(after: end)
        }
        if let value {
            list.replaceSubrange(name.upperBound..<end, with: value)
        } else {
            list.replaceSubrange(name.lowerBound..<end, with: "\"other\":1")
        }
        return list
    }

    @Test(
        arguments: ["iconURL", "storeURL"],
        ["", "http://a.example", "file:///etc/passwd", "--help", "https://", "https://a b"])
    func anAppWhoseAddressIsNotHTTPSIsABadReply(member: String, address: String) async throws {
        let app =
            member == "iconURL" ? Replies.app("bookary", iconURL: address) : Replies.app("bookary", storeURL: address)
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(Replies.list(apps: [app])) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        #expect(service.error?.message.contains("\"\(member)\"") == true)
    }

    // MARK: Cancellation

    @Test func aCancelledLoadEndsAtOnceWithoutAnError() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .silence })
        let service = try PromoService(of: daemon)
        let load = Task { await service.loadApps() }
        await daemon.wasAsked("list")
        _ = await ContinuousClock().measure {
            load.cancel()
            await load.value
        }
        #expect(service.error == nil)
        #expect(service.state == .idle)
        #expect(!service.isLoading)
    }

    @Test func aCancelledLoadLeavesTheListAsItWas() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in .result(Replies.list(["bookary"], state: "cached")) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        daemon.answer(Replies.daemon("list") { _ in .silence })
        let load = Task { await service.loadApps() }
        await daemon.wasAsked("list", times: 2)
        load.cancel()
        await load.value
        #expect(service.state == .cached)
        #expect(service.error == nil)
        #expect(service.ids == ["bookary"])
    }

    @Test func aCancelledLoadLeavesAnEmptyListEmpty() async throws {
        let empty = Replies.list([], state: "empty", source: "none", canRetry: true)
        let daemon = try ScriptedDaemon(Replies.daemon("list") { _ in .result(empty) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        daemon.answer(Replies.daemon("list") { _ in .silence })
        let load = Task { await service.loadApps() }
        await daemon.wasAsked("list", times: 2)
        load.cancel()
        await load.value
        #expect(service.state == .empty(canRetry: true))
    }

    @Test func aCancelledLoadDoesNotCancelOthers() async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in
                gate.pass()
                return .result(Replies.list(["bookary"]))
            })
        let service = try PromoService(of: daemon)
        async let first: Void = service.loadApps()
        await daemon.wasAsked("list")
        let second = Task { await service.loadApps() }
        second.cancel()
        await second.value
        #expect(service.state == .loading)
        gate.open()
        await first
        #expect(service.state == .loaded)
        #expect(service.ids == ["bookary"])
    }
}
