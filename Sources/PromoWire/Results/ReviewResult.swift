/// What `review-eligible` and `review-request` answer.
package struct ReviewResult: MethodResult, Equatable {
    /// Which of the two it answers.
    package enum Question: Equatable, Sendable {
        case eligible
        /// With the address where to write the review, where a grant was given and the catalog knows the store number.
        case request(reviewURL: String?)
    }

    package var app: String
    package var question: Question
    /// What stands against it, in the protocol's words and order; empty where nothing does.
    package var reasons: [String]
    /// When the last wait ends; after a grant, when the next is possible at the earliest.
    package var eligibleAt: Timestamp?
    /// What to do first; nil where there is nothing.
    package var advice: String?

    /// A result with its parts.
    package init(app: String, question: Question, reasons: [String], eligibleAt: Timestamp?, advice: String?) {
        self.app = app
        self.question = question
        self.reasons = reasons
        self.eligibleAt = eligibleAt
        self.advice = advice
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member(question == .eligible ? "eligible" : "granted", reasons.isEmpty)
            writer.name("reasons")
            writer.array { writer in
                for reason in reasons { writer.value(reason) }
            }
            writer.member("eligibleAt", eligibleAt?.roundedUpToSecond)
            if case .request(let reviewURL) = question { writer.member("reviewURL", reviewURL) }
            if let advice { writer.member("advice", advice) }
        }
    }
}
