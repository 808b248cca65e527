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
        let remedy = try #require(error.recoverySuggestion)
        for sentence in [problem, remedy] {
            #expect(sentence.hasSuffix("."))
            for detail in ["https://", "503", "socket", "dns", "no-origin"] { #expect(!sentence.contains(detail)) }
        }
    }

    @Test func foundationShowsThePlainSentenceAndTheLogTheDetail() {
        let error: any Error = PromoError(.timedOut, message: Self.detail)
        #expect(error.localizedDescription == "The list of apps cannot be updated right now.")
        #expect("\(error)" == Self.detail)
    }

    @Test(
        arguments: [
            (PromoError(.daemonUnreachable, message: ""), "Start promod"),
            (PromoError(.badReply, message: ""), "Update promod"),
            (PromoError(.unknownCatalog, message: ""), "promoctl setup"),
            (PromoError(.refused, reason: "busy", message: ""), "Try again later"),
            (PromoError(.refreshFailed, reason: "dns", message: ""), "network connection"),
            (PromoError(.refreshFailed, reason: "http-status", message: ""), "Try again later"),
            (PromoError(.invalidAppID, message: ""), "developer"),
        ])
    func theRemedyFitsTheCause(error: PromoError, remedy: String) {
        #expect(error.recoverySuggestion?.contains(remedy) == true)
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
