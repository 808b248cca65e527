import CrossPromoKit
import PromoWire

/// Why a command failed, with its exit code.
struct CommandFailure: Error {
    /// The exit codes: those of sysexits.h, and 1 for a plain no.
    enum Code: Int32 {
        case no = 1
        case broken = 2
        case usage = 64
        case refused = 65
        case unreachable = 69
        case outputError = 74
        case tryLater = 75
    }

    let code: Int32
    /// The stable word for programs: the daemon's reason for a refusal, else one word for each exit code.
    let reason: String
    /// The message for standard error; nil if everything has been printed.
    let message: String?

    init(_ code: Code, reason: String? = nil, _ message: String? = nil) {
        self.init(code: code.rawValue, reason: reason, message)
    }

    /// A failure with any exit code, such as that of a program that was run and has printed why it failed.
    init(code: Int32, reason: String? = nil, _ message: String? = nil) {
        self.code = code
        self.reason = reason ?? Self.word(for: code)
        self.message = message
    }

    init(_ error: PromoError) {
        let code: Code =
            switch error.code {
            case .refreshFailed: .tryLater
            case .unknownCatalog, .invalidAppID, .notConfigured: .refused
            case .refused: Self.passing.contains(error.reason ?? "") ? .tryLater : .refused
            default: .unreachable
            }
        self.init(code: code.rawValue, reason: error.code == .timedOut ? nil : error.reason, error.message)
    }

    /// The failure as an error of the protocol; `code` is the exit code if the protocol has no number for the reason.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.error(
            code: ErrorReason(rawValue: reason)?.code ?? Int(code), reason: reason,
            message: (message ?? "").printable.messageLines.joined())
        return writer.bytes
    }

    private static func word(for code: Int32) -> String {
        switch Code(rawValue: code) {
        case .no: "no"
        case .broken: "broken"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .outputError: "output-error"
        case .tryLater: "try-later"
        case .usage, nil: "usage"
        }
    }

    private static let passing = [ErrorReason.busy, .noCatalog].map(\.rawValue)
}
