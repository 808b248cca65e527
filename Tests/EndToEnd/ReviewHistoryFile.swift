import Foundation
import PromoCore
import PromoTestSupport

/// The file of the review history, which a test can read, write and edit while no daemon runs.
struct ReviewHistoryFile {
    let scratch: ScratchDirectory

    private static let name = "state/promod/reviews.json"

    var path: String { scratch(Self.name) }
    var text: String { scratch.read(Self.name) }
    var damagedPath: String { path + ".damaged" }
    var damagedText: String { scratch.read(Self.name + ".damaged") }

    func write(_ text: String) throws {
        try scratch.write(Self.name, text)
    }

    /// Writes a history of apps that were launched long enough ago for a first review, and never requested one.
    func write(apps: [String]) throws {
        let launch = Date.now.addingTimeInterval(-86_400 * Double(ReviewPolicy().minimumDaysSinceFirstLaunch))
        try write(apps: apps, launched: launch.formatted(.iso8601))
    }

    /// Writes a history of apps that were launched at a time and never requested a review.
    func write(apps: [String], launched time: String) throws {
        let records = apps.map { "\"\($0)\":{\"firstLaunch\":\"\(time)\",\"requests\":[]}" }
        try write("{\"format\":\(ReviewHistory.format),\"apps\":{\(records.joined(separator: ","))}}\n")
    }

    /// The times at which an app's requests were granted.
    func requests(of app: String) throws -> [String] {
        let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (root?["apps"] as? [String: [String: Any]])?[app]?["requests"] as? [String] ?? []
    }
}

extension DaemonUnderTest {
    var history: ReviewHistoryFile { ReviewHistoryFile(scratch: scratch) }

    static func launchLine(_ app: String) -> String {
        "{\"method\":\"launch\",\"app\":\"\(app)\"}"
    }

    static func requestLine(_ app: String, completed: Int = ReviewPolicy().minimumCompletions) -> String {
        "{\"method\":\"review-request\",\"app\":\"\(app)\",\"completed\":\(completed),\"needsPage\":false}"
    }

    func launch(_ app: String) throws -> Reply { try ask(Self.launchLine(app)) }

    func requestReview(_ app: String) throws -> Reply { try ask(Self.requestLine(app)) }
}

extension Reply {
    var isGranted: Bool? { result["granted"] as? Bool }
    var isRecorded: Bool? { result["recorded"] as? Bool }
    var firstLaunch: String? { result["firstLaunch"] as? String }
    var reasons: [String]? { result["reasons"] as? [String] }
    var message: String { error["message"] as? String ?? "" }
}
