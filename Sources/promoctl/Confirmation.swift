import CrossPromoKit
import Glibc
import PromoWire

/// A question before something that cannot be undone.
enum Confirmation {
    /// Whether there is somebody to ask.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on the terminal; without one there is nobody to ask, and the answer is no.
    static func isGiven(to question: String) -> Bool {
        guard isPossible else {
            Output.note("promoctl: \(question.printable) Say --yes to do it without a terminal.")
            return false
        }
        Output.prompt("\(question.printable) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
