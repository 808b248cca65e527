import ArgumentParser
import CrossPromoKit
import PromoWire

struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask whether an app may ask for a review now, or ask for one.",
        discussion: "Example: promoctl review eligible fittoday --completed 3",
        subcommands: [ReviewEligible.self, ReviewRequest.self])
}

struct ReviewEligible: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eligible",
        abstract: "Say whether an app may ask for a review now; changes nothing.",
        discussion: """
            Ends with 0 where it may, and with 1 where it may not.

            Example: promoctl review eligible fittoday --completed 3
            """)

    @OptionGroup var question: ReviewQuestion
    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.reviewEligible(question.parameters)) { json throws(MalformedResult) in
            try ReviewResult(json)
        }
        if options.json {
            try Output.json(answer.json)
        } else if answer.result.isGranted {
            try Output.line("\(answer.result.app.printable) may ask for a review now.")
        }
        try question.end(answer.result, isTold: options.json)
    }
}

struct ReviewRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask for a review, which is recorded where it is granted.",
        discussion: """
            Ends with 0 where it is granted, and with 1 where it is not. A grant prints the page on which to write the review, \
            where the catalog knows it.

            Example: promoctl review request fittoday --completed 3 --open
            """)

    @OptionGroup var question: ReviewQuestion

    @Flag(help: "Open the page with xdg-open; where that does not work, print its address.")
    var open = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.reviewRequest(question.parameters)) { json throws(MalformedResult) in
            try ReviewResult(json)
        }
        if options.json { try Output.json(answer.json) }
        try question.end(answer.result, isTold: options.json)
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

/// What both questions take, and how both end in a no.
struct ReviewQuestion: ParsableArguments {
    @OptionGroup var app: AppArgument

    @Option(help: ArgumentHelp("How many successes the person has completed, workouts say.", valueName: "count"))
    var completed: Int

    func validate() throws {
        guard completed >= 0 else { throw ValidationError("--completed takes a number of 0 or more.") }
    }

    var parameters: ReviewParameters { ReviewParameters(app: app.app, completed: completed) }

    /// Ends the command where something stands against a review, saying what.
    func end(_ result: ReviewResult, isTold: Bool) throws {
        guard !result.isGranted else { return }
        guard !isTold else { throw Failure(.no) }
        var sentences = ["No review of \(result.app) now: \(result.reasons.map(\.words).joined(separator: ", "))."]
        if let eligibleAt = result.eligibleAt { sentences.append("Ask again on \(eligibleAt.told(now: .now)).") }
        if result.reasons.contains(.neverLaunched) {
            sentences.append("Run \"promoctl launch \(result.app)\" whenever it starts.")
        }
        throw Failure(.no, sentences.joined(separator: " "))
    }
}

extension ReviewResult.Reason {
    fileprivate var words: String {
        switch self {
        case .neverLaunched: "it was never launched"
        case .tooFewCompletions: "the person has completed too little"
        case .tooSoonAfterFirstLaunch: "its first launch is too recent"
        case .tooSoonAfterLastRequest: "the last request is too recent"
        case .yearlyLimit: "this year's requests are used up"
        }
    }
}
