import Foundation
import PromoTestSupport

/// The error that promoctl printed as JSON.
struct PromoctlError {
    let code: Int
    let reason: String
    let message: String

    /// Parses standard error, which must be one line.
    init(_ text: String) throws {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        guard text.hasSuffix("}\n"), text.filter({ $0 == "\n" }).count == 1,
            let error = object?["error"] as? [String: Any], let code = error["code"] as? Int,
            let message = error["message"] as? String,
            let reason = (error["data"] as? [String: Any])?["reason"] as? String
        else { throw TestFailure("this is not one error in JSON: \(text)") }
        (self.code, self.reason, self.message) = (code, reason, message)
    }
}
