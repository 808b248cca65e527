import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask for reviews of an app, but not too often.",
        discussion: "Example: promoctl review eligible fittoday --completed 3",
        subcommands: [ReviewEligible.self, ReviewRequest.self, ReviewReset.self])
}

struct ReviewEligible: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eligible",
        abstract: "Check whether an app may ask for a review now; this changes nothing.",
        discussion: "Example: promoctl review eligible fittoday --completed 3")

    @OptionGroup var question: ReviewQuestion
    @OptionGroup var options: CommonOptions

    func run() throws {
        let request = Command.reviewEligible(question.parameters())
        let result = try options.show(.command(request), of: question.catalog, as: ReviewResult.self) { result in
            // A refusal is the result that was asked for, so it goes to standard output.
            result.isGranted ? "\(result.app) may ask for a review now." : question.refusal(result)
        }
        if !result.isGranted { throw CommandFailure(.no) }
    }
}

struct ReviewRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Request a review, and record the request if it is granted.",
        discussion: """
            If it is granted, prints the address of the page on which to write the review. Nothing is granted unless the page \
            is known and there is a network. A granted request counts, even if the page cannot be opened.

            Example: promoctl review request fittoday --completed 3 --open
            """)

    @OptionGroup var question: ReviewQuestion

    @Flag(help: "Open the page with xdg-open.")
    var open = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let request = Command.reviewRequest(question.parameters())
        let answer = try options.ask(.command(request), of: question.catalog.reference, as: ReviewResult.self)
        let page = answer.result.reviewURL
        let isOpened = open && page.map(StorePage.open) ?? false
        if options.json { try Output.json(answer.json) }
        guard answer.result.isGranted else {
            throw CommandFailure(.no, options.json ? nil : question.refusal(answer.result))
        }
        guard !options.json, !isOpened else { return }
        if let page { try Output.line(page.printable) }
    }
}

struct ReviewReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget the first launch and the review requests of an app.",
        discussion: """
            Its waiting times begin again with its next launch.

            Example: promoctl review reset fittoday
            """)

    @OptionGroup var app: AppArgument

    @OptionGroup var options: CommonOptions

    func run() throws {
        try options.show(.command(.reviewReset(app: app.app)), as: ReviewResetResult.self) { result in
            result.wasKnown
                ? "Review history of \(app.app) deleted. Its waiting times begin with its next launch."
                : "\(app.app) has no review history."
        }
    }
}

/// The arguments of both questions, and the text for a refusal.
struct ReviewQuestion: ParsableArguments {
    @OptionGroup var app: AppArgument
    @OptionGroup var catalog: CatalogOption

    @Option(
        help: ArgumentHelp(
            "Successes so far, such as finished workouts.", valueName: "count"))
    var completed: Int

    @Option(
        help: ArgumentHelp(
            "Successes that are enough, if not the configured number.", valueName: "count"))
    var minimum: Int?

    func validate() throws {
        guard completed >= 0 else { throw ValidationError("--completed must be 0 or more.") }
        guard minimum ?? 1 >= 1 else { throw ValidationError("--minimum must be 1 or more.") }
    }

    @Option(
        help: ArgumentHelp(
            "The page on which to write the review, if not the catalog's.",
            valueName: "url"))
    var page: String?

    @Option(
        name: .customLong("app-store-id"),
        help: ArgumentHelp(
            "The app's number in the App Store, for a page there.",
            valueName: "number"))
    var appStoreID: String?

    func parameters() -> ReviewParameters {
        ReviewParameters(app: app.app, completed: completed, minimum: minimum, page: page, appStoreID: appStoreID)
    }

    /// Why a review is refused now, and what to do.
    func refusal(_ result: ReviewResult) -> String {
        let needed = result.completionsNeeded.map { "\(completed) of \($0)" }
        let reasons = result.reasons.map { $0.known?.words(needed: needed) ?? $0.rawValue }.joined(separator: ", ")
        var sentences = ["\(result.app) may not ask for a review yet: \(reasons)."]
        if let eligibleAt = result.eligibleAt { sentences.append("Try again on \(eligibleAt.shown(now: .now)).") }
        if result.reasons.contains(Growing(.neverLaunched)) {
            sentences.append("Run \"promoctl launch \(result.app)\" whenever it starts.")
        }
        if result.reasons.contains(Growing(.noPage)) {
            sentences.append(
                "Give the page's address with --page, or the app's number in the App Store with --app-store-id.")
        }
        return sentences.joined(separator: " ")
    }
}

extension ReviewResult.Reason {
    fileprivate func words(needed: String?) -> String {
        switch self {
        case .neverLaunched: "it was never launched"
        case .tooFewCompletions: "too few successes were completed" + (needed.map { " (\($0))" } ?? "")
        case .tooSoonAfterFirstLaunch: "its first launch is too recent"
        case .tooSoonAfterLastRequest: "the last request is too recent"
        case .yearlyLimit: "this year's requests are used up"
        case .noPage: "its review page is not known"
        case .offline: "there is no network"
        }
    }
}
