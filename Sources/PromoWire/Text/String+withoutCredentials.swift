extension String {
    /// The text with `…` in the place of what stands before the `@` of each address in it, which may be a user and a password.
    package var withoutCredentials: String {
        split(omittingEmptySubsequences: false) { $0.isWhitespace || $0 == "'" || $0 == "\"" }
            .reduce(into: "") { text, word in
                text += Self.withoutCredentials(word)
                if word.endIndex < endIndex { text.append(self[word.endIndex]) }
            }
    }

    private static func withoutCredentials(_ word: Substring) -> Substring {
        let scheme = word.firstRange(of: "//")
        let start = scheme?.upperBound ?? word.startIndex
        let authority = word[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // Without a scheme, only what has a password is taken for an address: not me@example.com.
        guard let end = authority.lastIndex(of: "@"), scheme != nil || authority[..<end].contains(":") else {
            return word
        }
        return word[..<start] + "…" + word[end...]
    }
}
