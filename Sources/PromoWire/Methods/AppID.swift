/// The rule for an app's id, in catalogs and in requests.
package enum AppID {
    /// The longest id, in bytes. An id stands in events, messages and histories, and nothing there may grow with what one client wrote.
    package static let maximumLength = 255

    /// The rule in words.
    package static let form = "1 to \(maximumLength) lowercase ASCII letters, digits and hyphens"

    /// The rule as a regular expression.
    package static let pattern = "^[a-z0-9-]{1,\(maximumLength)}$"

    /// Whether a text can be an id.
    package static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && isMadeOfIDCharacters(text)
    }

    /// Whether a text has the characters of an id, however long it is, and at least one.
    package static func isMadeOfIDCharacters(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
