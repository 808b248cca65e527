import CrossPromoKit
import PromoWire
import Testing

/// What `promoctl explain` says.
@Suite struct ExplanationTests {
    private let now = Timestamp(seconds: 1_795_223_340)

    private func explanation(_ change: (inout StatusResult) -> Void) -> String {
        var status = StatusResult(
            process: ProcessStatus(
                version: "1", epoch: "e", pid: 1, startedAt: now, socketPath: "/p", configurationPath: nil),
            freshness: Freshness(
                state: .loaded, source: .origin, generation: "g", fetchedAt: now - .seconds(7200),
                expiresAt: now + .seconds(79_200)), apps: 5, isOnline: true, refresh: RefreshStatus(),
            cache: CacheStatus(path: "/c", isStored: true), counters: QueryCounters(),
            configuration: ConfigurationStatus())
        status.refresh.url = "https://a.example/c.json"
        status.refresh.nextAt = now + .seconds(3600)
        status.refresh.lastAttemptAt = now - .seconds(7200)
        status.refresh.lastOutcome = .updated
        change(&status)
        return Explanation(of: status, now: now).paragraphs.joined(separator: " ")
    }

    @Test(arguments: RefreshStatus.Reason.allCases)
    func everyReasonHasARuleAndEndsAsASentence(reason: RefreshStatus.Reason) {
        let text = explanation { $0.refresh.reason = reason }
        #expect(text.contains("2 hours ago") && text.contains("promod asks again at") && text.contains("in 1 hour. "))
        #expect(text.hasSuffix("."))
        #expect(!text.contains("nil") && !text.contains("  "))
    }

    @Test func aFailureIsToldWithItsReason() {
        let text = explanation {
            $0.refresh.lastOutcome = .failed
            $0.refresh.attempt = 3
            $0.refresh.reason = .retry
            $0.refresh.lastError = Failure(.tls, "The certificate has expired.")
        }
        #expect(text.contains("and it failed, the 3rd in a row: The certificate has expired."))
    }

    @Test func nothingElseEndsAPause() {
        let text = explanation {
            $0.refresh.reason = .retryAfter
            $0.refresh.retryAfter = now + .seconds(60)
        }
        #expect(text.contains("not even \"promoctl refresh\""))
    }

    @Test func whatIsHeldBackIsToldWithWhatTakesIt() {
        let text = explanation {
            $0.refresh.lastOutcome = .heldBack
            $0.refresh.reason = .retry
            $0.refresh.heldBack = HeldBackStatus(since: now, apps: 2, lost: 3)
        }
        #expect(text.contains("2 apps that lacks 3 of those") && text.contains("promoctl refresh --accept"))
    }

    @Test func withoutAnAddressOrACatalogItSaysSo() {
        let sample = explanation {
            $0.freshness = Freshness(state: .loaded, source: .sample, generation: "g")
            $0.refresh = RefreshStatus()
        }
        #expect(sample.contains("the sample") && sample.contains("promoctl setup"))
        let broken = explanation {
            $0.freshness = Freshness(state: .empty, source: .none, generation: nil)
            $0.refresh = RefreshStatus()
            $0.configuration.error = "Line 3."
        }
        #expect(broken.contains("no catalog yet") && broken.contains("Line 3. Fix it"))
    }

    @Test func anExpiredCatalogAndOneFromTheFutureAreTold() {
        #expect(
            explanation {
                $0.freshness = Freshness(
                    state: .cached, source: .origin, generation: "g", fetchedAt: now - .seconds(90_000),
                    expiresAt: now - .seconds(3600))
            }.contains("It expired at "))
        #expect(
            explanation { $0.freshness = Freshness(state: .cached, source: .origin, generation: "g") }
                .contains("ahead of this machine's clock"))
    }
}
