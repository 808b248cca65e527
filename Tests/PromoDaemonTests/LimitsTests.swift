import Foundation
@testable import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The figures of Limits.md and of the manual's limits are those of the code.
struct LimitsTests {
    private static let (kibibyte, mebibyte) = (1 << 10, 1 << 20)

    /// Sentences of a page, with a # for each figure.
    private static let pages: [(String, [(String, [Int])])] = [
        (
            "Sources/PromoDaemon/PromoDaemon.docc/Limits.md",
            [
                ("Connections beyond the limit: # are answered `busy`", [QueryServer.maximumRefusals]),
                ("Subscriptions: #.", [EventHub.maximumSubscriptions]),
                (
                    "Replies that a client does not read: # KiB of its own",
                    [PromoCore.Connection.sendThreshold / kibibyte]
                ), ("Kept replies to `list`: # MiB.", [KeptReplies.maximumTotal / mebibyte]),
                (
                    "A header that is used: # KiB. An address: # bytes.",
                    [FetchAnswer.maximumText / kibibyte, HTTPSURL.maximumLength]
                ), ("Findings in a bad catalog: #.", [CatalogFindings.maximumCount]),
                (
                    "Drop-ins: #, among # names in a directory.",
                    [DropInCatalogs.maximumFiles, DropInCatalogs.maximumEntries]
                ),
                ("# apps, # requests an app", [ReviewHistory.maximumApps, ReviewRecord.maximumRequests]),
                (
                    "The cache of a catalog that no drop-in names: # days after its last change.",
                    [days(CatalogCaches.retention)]
                ), ("A time ahead of the clock: # minutes;", [seconds(Timestamp.tolerance) / 60]),
                ("A log message: # Unicode scalars; a field: #.", [LogRecord.maximumMessage, LogRecord.maximumField]),
                ("A log message that is the same again: # in a minute;", [LogQueue.burst]),
                ("Log messages that wait for the journal: #.", [LogQueue.capacity]),
            ]
        ),
        (
            "packaging/man/promod-protocol.7",
            [
                ("nesting of more than # levels", [Call.maximumDepth]),
                ("A request line has at most # bytes.", [Call.maximumLength]),
                ("event for each of 1 to # apps", [ImpressionParameters.maximumApps]),
                ("Beyond # apps, those", [ReviewHistory.maximumApps]), ("it retains the last #.", [EventLog.capacity]),
                ("fewer than .Li minimum or #;", [policy.minimumCompletions]),
                (#"first\-launch , less than # days;"#, [policy.minimumDaysSinceFirstLaunch]),
                (#"last\-request , less than # days;"#, [policy.minimumDaysSinceLastRequest]),
                (#"yearly\-limit , # requests in # days;"#, [policy.maximumPerYear, days(ReviewRecord.year)]),
            ]
        ),
        (
            "packaging/man/promod-catalog.5",
            [
                (
                    "at most # levels deep, and has at most # MiB",
                    [AppCatalog.maximumDepth, AppCatalog.maximumBytes / mebibyte]
                ), ("1 to # lowercase ASCII letters", [AppID.maximumLength]),
                ("picture of at most # KiB", [IconBook.maximumSize / kibibyte]),
                (
                    "the first # addresses in a catalog, as far as # MiB suffice",
                    [IconBook.maximumCount, IconBook.maximumTotal / mebibyte]
                ),
            ]
        ),
        (
            "packaging/man/promod.8",
            [
                ("at most # hours, and up to", [seconds(RetryAfter.longest) / 3600]),
                ("A cache that no drop-in names is removed after # days.", [days(CatalogCaches.retention)]),
            ]
        ),
        (
            "packaging/man/promod.toml.5",
            [
                ("of at most # bytes, of which", [ConfigurationFile.maximumBytes]),
                ("At most # catalogs are kept;", [CatalogRoster.maximumCount]),
                ("do not count among the #;", [CatalogRoster.maximumCount]),
                ("cache is removed # days later.", [days(CatalogCaches.retention)]),
                ("or none for # days: it is served", [days(CatalogRoster.restAfter)]),
            ]
        ),
        ("packaging/man/promod-privacy.7", [("# days after a client last asked", [days(CatalogRoster.restAfter)])]),
        (
            "Sources/PromoDaemon/PromoDaemon.docc/Privacy.md",
            [("# days after a client last asked", [days(CatalogRoster.restAfter)])]
        ),
        (
            "Sources/CrossPromoKit/CrossPromoKit.docc/Shipping.md",
            [("no app has asked for it in # days.", [days(CatalogRoster.restAfter)])]
        ),
        (
            "Sources/CrossPromoKit/CrossPromoKit.docc/Reviews.md",
            [
                ("request after # successes", [policy.minimumCompletions]),
                (
                    "and # days, # days after the last one, and # times a year",
                    [policy.minimumDaysSinceFirstLaunch, policy.minimumDaysSinceLastRequest, policy.maximumPerYear]
                ),
            ]
        ),
    ]

    private static let policy = ReviewPolicy()
    private static func days(_ duration: Duration) -> Int { seconds(duration) / 86_400 }
    private static func seconds(_ duration: Duration) -> Int { Int(duration.components.seconds) }

    private static func written(_ figure: Int) -> String {
        figure < 1000 ? "\(figure)" : "\(figure / 1000),\(String(1000 + figure % 1000).dropFirst())"
    }

    @Test(arguments: pages.indices) func eachFigureIsThatOfTheCode(index: Int) throws {
        let (name, sentences) = Self.pages[index]
        let page = try Self.text(of: name)
        for (sentence, figures) in sentences {
            let figures = figures.map(Self.written) + [""]
            let text = zip(sentence.components(separatedBy: "#"), figures).map { $0 + $1 }.joined()
            #expect(page.contains(text), "\(name): \(text)")
        }
    }

    @Test func theReviewOfTheProtocolsExampleIsPossibleWhenTheDefaultWaitEnds() throws {
        let page = try Self.text(of: "packaging/man/promod-protocol.7").replacing(#"\-"#, with: "-")
        let launch = try #require(page.firstMatch(of: /"firstLaunch":"([^"]+)"/)).1
        let eligible = try #require(page.firstMatch(of: /"eligible":false.*?"eligibleAt":"([^"]+)"/)).1
        let begin = try #require(Timestamp(rfc3339: String(launch)))
        let end = try #require(Timestamp(rfc3339: String(eligible)))
        #expect(Self.days(end - begin) == Self.policy.minimumDaysSinceFirstLaunch)
    }

    private static func text(of page: String) throws -> String {
        try UnitFile("../\(page)").lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    }
}
