import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// The picture of an app, and what stands for it.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct IconTests {
    private nonisolated static let bytes = Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])

    private func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon(
            Replies.daemon("icon") { request in
                request.string("app") == "bookary"
                    ? .result(#"{"app":"x","mediaType":"image/png","data":"\#(Self.bytes.base64EncodedString())"}"#)
                    : .result(#"{"app":"x","mediaType":null,"data":null}"#)
            })
    }

    private func service(_ daemon: ScriptedDaemon, loadsIcons: Bool = true) -> PromoService {
        PromoService(
            config: PromoConfig(currentAppID: "finebill", socketPath: daemon.path, loadsIcons: loadsIcons))
    }

    @Test func isReadFromItsFile() async throws {
        let scratch = try ScratchDirectory()
        let file = URL(filePath: scratch("icon"))
        try Data([1, 2]).write(to: file)
        let daemon = try daemon()
        #expect(await service(daemon).icon(of: try .sample(iconFile: file)) == Data([1, 2]))
        #expect(daemon.requests.isEmpty)
    }

    @Test func isSentByPromodWhereTheFileCannotBeRead() async throws {
        let daemon = try daemon()
        #expect(await service(daemon).icon(of: try .sample(iconFile: URL(filePath: "/nowhere/icon"))) == Self.bytes)
        #expect(await service(daemon).icon(of: try .sample()) == Self.bytes)
    }

    @Test func isNilIfThereIsNone() async throws {
        let daemon = try daemon()
        #expect(await service(daemon).icon(of: try .sample("other")) == nil)
        #expect(await service(daemon, loadsIcons: false).icon(of: try .sample()) == nil)
        daemon.stop()
        #expect(await service(daemon).icon(of: try .sample()) == nil)
    }

    @Test(arguments: [URL(filePath: "/nowhere/icon"), nil])
    func aTerminalDrawsWhatPromodSendsInASandboxOrAfterAFetch(file: URL?) throws {
        let daemon = try daemon()
        let client = DaemonClient(socketPath: daemon.path)
        let apps = [try PromoApp.sample(iconFile: file), try .sample("other")]
        #expect(client.pictures(of: apps, catalog: nil, within: .seconds(60)) == ["bookary": Self.bytes])
        #expect(daemon.requests("icon").map { $0.boolean("wait") } == [true, true])
    }

    @Test func withoutPatienceATerminalAsksForNoPicture() throws {
        let daemon = try daemon()
        let client = DaemonClient(socketPath: daemon.path)
        #expect(client.pictures(of: [try PromoApp.sample()], catalog: nil, within: .zero) == [:])
        #expect(daemon.requests.isEmpty)
    }
}
