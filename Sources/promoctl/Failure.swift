import CrossPromoKit
import PromoWire

/// How a command ends that did not do what was asked.
struct Failure: Error {
    /// The codes, in sysexits.h's numbers but for the plain no.
    enum Code: Int32 {
        case no = 1
        case refused = 65
        case unreachable = 69
        case outputError = 74
        case tryLater = 75
    }

    let code: Int32
    /// What is said on standard error; nil where everything was said.
    let message: String?

    init(_ code: Code, _ message: String? = nil) {
        self.init(code: code.rawValue, message)
    }

    /// The end of a program that was run and said itself what went wrong.
    init(code: Int32, _ message: String? = nil) {
        self.code = code
        self.message = message
    }

    init(_ error: PromoError) {
        let code: Code =
            switch error.code {
            case .daemonUnreachable, .timedOut, .connectionLost, .badReply, .cancelled: .unreachable
            case .refreshFailed: .tryLater
            case .otherCatalog: .refused
            case .refused: Self.passing.contains(error.reason ?? "") ? .tryLater : .refused
            }
        self.init(code, error.message)
    }

    private static let passing = [ErrorReason.busy, .noCatalog].map(\.rawValue)
}
