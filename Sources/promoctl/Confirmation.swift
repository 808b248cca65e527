import CrossPromoKit
import Glibc
import PromoWire

/// Asks a person before something that cannot be undone.
enum Confirmation {
    /// Whether a person at a terminal can be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on the terminal; without a terminal, prints a hint and the answer is no.
    static func isGiven(to question: String) -> Bool {
        guard isPossible else {
            Output.note("promoctl: \(question.printable) Use --yes to do it without a terminal.")
            return false
        }
        Output.prompt("\(question.printable) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
