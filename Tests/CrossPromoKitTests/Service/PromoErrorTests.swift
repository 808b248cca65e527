import CrossPromoKit
import Foundation
import Testing

/// An error has a code for programs, a message for the log, and sentences for people.
struct PromoErrorTests {
    private static let detail = "https://a.example/apps.json answers 503 Service Unavailable"

    private static let errors: [PromoError] =
        [
            .daemonUnreachable, .timedOut, .connectionLost, .badReply, .refused, .unknownCatalog, .refreshFailed,
            .invalidAppID, .cancelled, PromoError.Code(rawValue: "of a later version"),
        ].flatMap { code in
            [nil, "no-origin", "dns", "http-status", "busy"].map { PromoError(code, reason: $0, message: detail) }
        }

    @Test(arguments: errors)
    func whatAPersonReadsIsPlainSentencesWithoutTheDetail(error: PromoError) throws {
        let problem = try #require(error.errorDescription)
        for sentence in [problem, error.recoverySuggestion].compactMap(\.self) {
            #expect(sentence.hasSuffix("."))
            for detail in ["https://", "503", "socket", "dns", "no-origin", "promod"] {
                #expect(!sentence.contains(detail))
            }
        }
    }

    @Test func foundationShowsThePlainSentenceAndTheLogTheDetail() {
        let error: any Error = PromoError(.timedOut, message: Self.detail)
        #expect(error.localizedDescription == "Something went wrong, and apps can't be shown right now.")
        #expect("\(error)" == Self.detail)
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

    @Test func aLaterVersionMayAddCodes() {
        #expect(PromoError.Code(rawValue: "timedOut") == .timedOut)
        #expect("\(PromoError.Code.timedOut)" == "timedOut")
        #expect(Set([PromoError.Code.timedOut, .cancelled, .timedOut]).count == 2)
        let isKnown =
            switch PromoError.Code(rawValue: "of a later version") {
            case .timedOut, .cancelled: true
            default: false
            }
        #expect(!isKnown)
    }
}
