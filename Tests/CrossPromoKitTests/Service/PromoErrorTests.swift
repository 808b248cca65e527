import CrossPromoKit
import Foundation
import Testing

/// An error has a code for programs, a message for the log, and sentences for people.
struct PromoErrorTests {
    @Test func foundationShowsThePlainSentenceAndTheLogTheDetail() {
        let detail = "https://a.example/apps.json answers 503 Service Unavailable"
        let error: any Error = PromoError(.timedOut, message: detail)
        #expect(error.localizedDescription == "Something went wrong, and apps can't be shown right now.")
        #expect("\(error)" == detail)
    }

    @Test(
        arguments: [
            (PromoError(.daemonUnreachable, message: ""), "Please try again."),
            (PromoError(.badReply, message: ""), "Please try again."),
            (PromoError(.unknownCatalog, message: ""), "Please tell the app's developer."),
            (PromoError(.invalidAppID, message: ""), "Please tell the app's developer."),
            (PromoError(.refused, reason: "busy", message: ""), "Please try again."),
            (PromoError(.refused, reason: "no-origin", message: ""), nil),
            (PromoError(.notConfigured, message: ""), nil),
            (PromoError(.refreshFailed, reason: "dns", message: ""), "Connect to the internet to see more apps."),
            (PromoError(.refreshFailed, reason: "http-status", message: ""), "Please try again."),
            (PromoError(.refreshDeferred, reason: "dns", message: ""), "Please wait a minute before you try again."),
        ] as [(PromoError, String?)])
    func theRemedyFitsTheCauseAndWhatNobodyCanRemedyHasNone(error: PromoError, remedy: String?) {
        #expect(error.recoverySuggestion == remedy)
    }
}
