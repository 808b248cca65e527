/// A line that a client receives.
package enum Incoming: Sendable {
    case result(JSONValue)
    case refused(Refusal)
    case event(JSONValue)

    /// An error reply.
    package struct Refusal: Equatable, Sendable {
        /// The word that programs compare; this version may not know it.
        package let reason: String
        /// The message for people.
        package let message: String
    }

    /// The maximum depth of JSON that a client reads.
    private static let maximumDepth = 64

    /// Reads a line; nil if it is neither a reply nor an event.
    package init?(line: [UInt8]) {
        guard let root = try? JSONDocument(line, maximumDepth: Self.maximumDepth).root, root.kind == .object else {
            return nil
        }
        if let result = root["result"] {
            self = .result(result)
        } else if let error = root["error"], let message = error["message"]?.outsideText {
            let reason = error["data"]?["reason"]?.ascii(upTo: 64) ?? ""
            self = .refused(Refusal(reason: reason, message: message.text))
        } else if root["method"]?.isString("event") == true, let event = root["params"], event.kind == .object {
            self = .event(event)
        } else {
            return nil
        }
    }
}
