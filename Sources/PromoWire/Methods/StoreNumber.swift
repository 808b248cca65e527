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
