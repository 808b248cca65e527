import CrossPromoKit
import PromoTestSupport
import PromoWire
import Testing

/// Impressions.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ImpressionTests {
    private func reported(by daemon: ScriptedDaemon) -> [[String]] {
        daemon.requests("impression").compactMap { $0.strings("apps") }
    }

    @Test func rowsThatAreSeenTogetherAreReportedTogetherAndOnceASession() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let recorder = EventRecorder()
        let service = try PromoService(of: daemon, eventDelegate: recorder)
        for _ in 0..<3 {
            for id in ["bookary", "stedio"] { service.handleAppImpression(try .sample(id)) }
            await service.finishImpressions()
        }
        #expect(reported(by: daemon) == [["bookary", "stedio"]])
        #expect(daemon.requests("impression").map { $0.string("host") } == ["finebill"])
        #expect(recorder.events == [.impression(appID: "bookary"), .impression(appID: "stedio")])
    }

    @Test func moreThanARequestMayReportAreReportedByTheNext() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let service = try PromoService(of: daemon)
        let ids = (0...ImpressionParameters.maximumApps).map { "app-\($0)" }
        for id in ids { service.handleAppImpression(try .sample(id)) }
        await service.finishImpressions()
        #expect(reported(by: daemon) == [Array(ids.dropLast()), ids.suffix(1)])
    }

    @Test func rowsThatAreSeenWhileOthersAreReportedComeNext() async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon("impression") { _ in
                gate.pass()
                return .result("{\"emitted\":1}")
            })
        let service = try PromoService(of: daemon)
        service.handleAppImpression(try .sample("bookary"))
        await daemon.wasAsked("impression")
        service.handleAppImpression(try .sample("stedio"))
        service.handleAppImpression(try .sample("littory"))
        gate.open()
        await service.finishImpressions()
        #expect(reported(by: daemon) == [["bookary"], ["stedio", "littory"]])
    }

    @Test func anAppThatHasLeftTheCatalogDoesNotCostTheOthersTheirImpression() async throws {
        let daemon = try ScriptedDaemon(
            Replies.daemon("impression") { request in
                request.strings("apps")?.contains("gone") == true ? .refusal("unknown-app") : .result("{\"emitted\":1}")
            })
        let service = try PromoService(of: daemon)
        for id in ["bookary", "gone", "stedio"] { service.handleAppImpression(try .sample(id)) }
        await service.finishImpressions()
        #expect(reported(by: daemon) == [["bookary", "gone", "stedio"], ["bookary"], ["gone"], ["stedio"]])
    }

    @Test(arguments: [.refusal("brand-new"), .end, .bytes("hello\n")] as [ScriptedDaemon.Answer])
    func anImpressionThatMayHaveArrivedIsNotSentAgain(answer: ScriptedDaemon.Answer) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("impression") { _ in answer })
        let service = try PromoService(of: daemon)
        for id in ["bookary", "stedio"] { service.handleAppImpression(try .sample(id)) }
        await service.finishImpressions()
        service.handleAppImpression(try .sample("bookary"))
        await service.finishImpressions()
        #expect(reported(by: daemon) == [["bookary", "stedio"]])
        #expect(service.error == nil)
    }

    @Test(arguments: ["busy", "no-catalog"])
    func whatPromodCannotTakeNowIsSentAgain(reason: String) async throws {
        let daemon = try ScriptedDaemon(Replies.daemon("impression") { _ in .refusal(reason) })
        let service = try PromoService(of: daemon)
        await service.loadApps()
        for id in ["bookary", "stedio"] { service.handleAppImpression(try .sample(id)) }
        await service.finishImpressions()
        daemon.answer(Replies.daemon())
        daemon.push(Replies.catalogEvent(1))
        await daemon.wasAsked("impression", times: 2)
        await service.finishImpressions()
        #expect(reported(by: daemon) == [["bookary", "stedio"], ["bookary", "stedio"]])
    }

    @Test func whatWasSeenWhilePromodWasAwayIsReportedWhenItIsBack() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon())
        let recorder = EventRecorder()
        let service = try PromoService(of: daemon, eventDelegate: recorder)
        await service.loadApps()
        daemon.stop()
        for id in ["bookary", "stedio"] { service.handleAppImpression(try .sample(id)) }
        await service.finishImpressions()
        #expect(reported(by: daemon) == [])
        #expect(recorder.events == [.impression(appID: "bookary"), .impression(appID: "stedio")])
        try daemon.start()
        // On a busy machine there may be no time to send them after the first list, but after another.
        for seq in 1...600 where reported(by: daemon).isEmpty {
            daemon.push(Replies.catalogEvent(seq))
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(reported(by: daemon) == [["bookary", "stedio"]])
    }

    /// Another client's request holds up the process's connection.
    @Test func whatThereWasNoTimeToSendIsReportedLater() async throws {
        let gate = Gate()
        defer { gate.open() }
        let daemon = try ScriptedDaemon(
            Replies.daemon("list") { _ in
                gate.pass()
                return .result(Replies.list([]))
            })
        let other = PromoClient(socketPath: daemon.path, timeout: .seconds(600))
        async let list = other.apps()
        await daemon.wasAsked("list")
        let service = try PromoService(of: daemon, timeout: .milliseconds(200))
        service.handleAppImpression(try .sample("bookary"))
        await service.finishImpressions()
        #expect(reported(by: daemon) == [])
        gate.open()
        _ = try await list
        for _ in 0..<20 { await service.finishImpressions() }
        await daemon.wasAsked("impression")
        #expect(reported(by: daemon) == [["bookary"]])
    }
}
