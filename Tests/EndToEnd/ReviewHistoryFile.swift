import Foundation
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

    /// Writes a history of apps that were launched the given number of days ago and never requested a review.
    func write(apps: [String], launchedDaysAgo days: Double) throws {
        let launched = Self.time(Date(timeIntervalSinceNow: -days * 86_400))
        let records = apps.map { "\"\($0)\":{\"firstLaunch\":\"\(launched)\",\"requests\":[]}" }
        try write("{\"format\":4,\"apps\":{\(records.joined(separator: ","))}}\n")
    }

    /// The times at which an app's requests were granted.
    func requests(of app: String) throws -> [String] {
        let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (root?["apps"] as? [String: [String: Any]])?[app]?["requests"] as? [String] ?? []
    }

    /// The time that many days later.
    static func time(_ text: String, days: Double) throws -> String {
        guard let date = ISO8601DateFormatter().date(from: text) else { throw TestFailure("\(text) is no time") }
        return time(date.addingTimeInterval(days * 86_400))
    }

    private static func time(_ date: Date) -> String {
        ISO8601DateFormatter().string(from: date)
    }
}

extension DaemonUnderTest {
    var history: ReviewHistoryFile { ReviewHistoryFile(scratch: scratch) }

    static func launchLine(_ app: String) -> String {
        "{\"method\":\"launch\",\"app\":\"\(app)\"}"
    }

    static func requestLine(_ app: String, completed: Int = 3) -> String {
        "{\"method\":\"review-request\",\"app\":\"\(app)\",\"completed\":\(completed),\"needsPage\":false}"
    }

    static func eligibleLine(_ app: String, completed: Int = 3) -> String {
        "{\"method\":\"review-eligible\",\"app\":\"\(app)\",\"completed\":\(completed),\"needsPage\":false}"
    }

    func launch(_ app: String) throws -> Reply { try ask(Self.launchLine(app)) }

    func requestReview(_ app: String, completed: Int = 3) throws -> Reply {
        try ask(Self.requestLine(app, completed: completed))
    }

    func reviewEligible(_ app: String, completed: Int = 3) throws -> Reply {
        try ask(Self.eligibleLine(app, completed: completed))
    }
}

extension Reply {
    var isGranted: Bool? { result["granted"] as? Bool }
    var isRecorded: Bool? { result["recorded"] as? Bool }
    var firstLaunch: String? { result["firstLaunch"] as? String }
    var reviewURL: String? { result["reviewURL"] as? String }
    var reasons: [String]? { result["reasons"] as? [String] }
    var message: String { error["message"] as? String ?? "" }
}
