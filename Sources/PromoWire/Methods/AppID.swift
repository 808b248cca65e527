/// The rule for an app's id, in catalogs and in requests.
package enum AppID {
    /// The maximum length of an id in bytes, so that long ids cannot make events, messages and histories large.
    package static let maximumLength = 255

    /// The rule in words.
    package static let form = "1 to \(maximumLength) lowercase ASCII letters, digits and hyphens"

    static let schema = ValueSchema.pattern(
        "^[a-z0-9-]{1,\(maximumLength)}$", words: "a string of \(form)", example: "fittoday")

    /// The id in a value; nil if the value is not a string with a valid id.
    package static func id(in value: JSONValue) -> String? {
        value.ascii(upTo: maximumLength).flatMap { isWellFormed($0) ? $0 : nil }
    }

    /// The end of a refusal: a character that no id has, or the text in lower case if that makes it a valid id, or nothing.
    package static func hint(_ text: OutsideText) -> String {
        if let odd = text.odd { return "; it has \(odd.named)" }
        guard let text = text.ascii(upTo: 64), case let id = text.lowercased(), id != text, isWellFormed(id) else {
            return ""
        }
        return "; in lower case: \(id)"
    }

    /// Whether a text is a valid id.
    package static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && isMadeOfIDCharacters(text)
    }

    /// Whether a text is a valid id except for its length: it is not empty and has only the characters of an id.
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

/// The rule for an app's number in the App Store, in catalogs and in requests.
package enum StoreNumber {
    /// The maximum number of digits, more than any number will have.
    package static let maximumLength = 32

    /// The rule in words.
    package static let form = "a string of 1 to \(maximumLength) ASCII digits"

    static let schema = ValueSchema.pattern("^[0-9]{1,\(maximumLength)}$", words: form, example: "6470000004")

    /// Whether a text is a valid number.
    package static func isWellFormed(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    }

    /// The page in Apple's store of the app with a number.
    package static func page(of number: String) -> String { "https://apps.apple.com/app/id\(number)" }

    /// Apple's form for writing a review of the app with a number.
    package static func reviewPage(of number: String) -> String { page(of: number) + "?action=write-review" }
}
