/// The rule for an app's id, in catalogs and in requests.
package enum AppID {
    /// The rule in words.
    package static let form = "lowercase ASCII letters, digits and hyphens"

    /// The rule as a regular expression.
    package static let pattern = "^[a-z0-9-]+$"

    /// Whether a text can be an id: not empty, and made of nothing else.
    package static func isWellFormed(_ text: String) -> Bool {
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
