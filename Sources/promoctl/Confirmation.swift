import CrossPromoKit
import Glibc
import PromoWire

/// Asks a person before an action that cannot be undone, or that may be a mistake.
enum Confirmation {
    /// Whether a person at a terminal can be asked.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Returns if a person agrees on the terminal; without a terminal, `--yes` has to be given instead.
    /// - Parameters:
    ///   - what: what is about to happen, as a sentence.
    ///   - otherwise: what did not happen without consent, as a sentence.
    static func require(_ what: String, otherwise: String) throws(Failure) {
        guard isPossible else {
            throw Failure(.usage, "\(what) Without a terminal to ask on, that needs --yes. \(otherwise)")
        }
        Output.prompt("\(what.printable) Go on? [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw Failure(.no, otherwise) }
    }
}
