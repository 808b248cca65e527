import ArgumentParser
import CrossPromoKit
import PromoWire

struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask whether an app may ask for a review now, ask for one, or forget what is remembered of it.",
        discussion: "Example: promoctl review eligible fittoday --completed 3",
        subcommands: [ReviewEligible.self, ReviewRequest.self, ReviewReset.self])
}

struct ReviewEligible: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eligible",
        abstract: "Say whether an app may ask for a review now; changes nothing.",
        discussion: """
            Ends with 0 if it may, and with 1 if it may not.

            Example: promoctl review eligible fittoday --completed 3
            """)

    @OptionGroup var question: ReviewQuestion
    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.reviewEligible(question.parameters())) { json throws(MalformedResult) in
            try ReviewResult(json)
        }
        if options.json {
            try Output.json(answer.json)
        } else if answer.result.isGranted {
            try Output.line("\(answer.result.app.printable) may ask for a review now.")
        } else {
            // The answer to the question that was asked, so it goes where answers go.
            try Output.line(question.refusal(answer.result).printable)
        }
        if !answer.result.isGranted { throw Failure(.no) }
    }
}

struct ReviewRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask for a review, which is recorded where it is granted.",
        discussion: """
            Ends with 0 if it is granted, and with 1 if it is not. A grant prints the page on which to write the review, if \
            that is known. With --open nothing is granted unless the page is known and there is a network.

            Example: promoctl review request fittoday --completed 3 --open
            """)

    @OptionGroup var question: ReviewQuestion

    @Flag(help: "Open the page with xdg-open, or print its address if that does not work.")
    var open = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let request = Request.reviewRequest(question.parameters(needsPage: open))
        let answer = try options.ask(request) { json throws(MalformedResult) in try ReviewResult(json) }
        if options.json { try Output.json(answer.json) }
        guard answer.result.isGranted else {
            throw Failure(.no, options.json ? nil : question.refusal(answer.result))
        }
        guard let page = answer.result.reviewURL else {
            if !options.json { try Output.line("A review is granted; the catalog knows no page for it.") }
            return
        }
        if open {
            try StorePage.open(page, isAddressPrinted: options.json)
        } else if !options.json {
            try Output.line(page.printable)
        }
    }
}

struct ReviewReset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Forget the first launch and the review requests of an app.",
        discussion: """
            Its waits begin again with its next launch. Asks first, unless --yes is given.

            Example: promoctl review reset fittoday --yes
            """)

    @OptionGroup var app: AppArgument

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let question = "Forget when \(app.app) was first launched and when it asked for reviews?"
        guard yes || Confirmation.isGiven(to: question) else { throw Failure(.no, "Nothing was changed.") }
        let request = Request.reviewReset(LaunchParameters(app: app.app))
        let answer = try options.ask(request) { json throws(MalformedResult) in try ReviewResetResult(json) }
        if options.json { return try Output.json(answer.json) }
        try Output.line(
            answer.result.wasKnown
                ? "Forgotten. The waits of \(app.app.printable) begin with its next launch."
                : "Nothing was remembered of \(app.app.printable).")
    }
}

/// What both questions take, and how a no is told.
struct ReviewQuestion: ParsableArguments {
    @OptionGroup var app: AppArgument

    @Option(help: ArgumentHelp("How many successes the person has completed, workouts say.", valueName: "count"))
    var completed: Int

    func validate() throws {
        guard completed >= 0 else { throw ValidationError("--completed takes a number of 0 or more.") }
    }

    @Option(
        name: .customLong("app-store-id"),
        help: ArgumentHelp("The app's number in the store, if the catalog does not know the app.", valueName: "number"))
    var appStoreID: String?

    func parameters(needsPage: Bool = false) -> ReviewParameters {
        ReviewParameters(app: app.app, completed: completed, appStoreID: appStoreID, needsPage: needsPage)
    }

    /// What stands against a review, and what to do.
    func refusal(_ result: ReviewResult) -> String {
        let needed = result.completionsNeeded.map { "\(completed) of \($0)" }
        let reasons = result.reasons.map { $0.words(needed: needed) }.joined(separator: ", ")
        var sentences = ["No review of \(result.app) now: \(reasons)."]
        if let eligibleAt = result.eligibleAt { sentences.append("Ask again on \(eligibleAt.told(now: .now)).") }
        if result.reasons.contains(.neverLaunched) {
            sentences.append("Run \"promoctl launch \(result.app)\" whenever it starts.")
        }
        return sentences.joined(separator: " ")
    }
}

extension ReviewResult.Reason {
    fileprivate func words(needed: String?) -> String {
        switch self {
        case .neverLaunched: "it was never launched"
        case .tooFewCompletions: "too few successes are completed" + (needed.map { " (\($0))" } ?? "")
        case .tooSoonAfterFirstLaunch: "its first launch is too recent"
        case .tooSoonAfterLastRequest: "the last request is too recent"
        case .yearlyLimit: "this year's requests are used up"
        case .noPage: "no page is known on which to write it"
        case .offline: "there is no network"
        }
    }
}
