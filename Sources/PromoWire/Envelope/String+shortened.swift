extension String {
    /// The beginning of what somebody wrote, for a message.
    ///
    /// Unicode scalars are counted, for one character may hold any number of them.
    package func shortened(to scalars: Int = 64) -> String {
        String(unicodeScalars.prefix(scalars))
    }

    /// The text, or its beginning with an ellipsis if it has more Unicode scalars than that.
    package func elided(to scalars: Int) -> String {
        let view = unicodeScalars
        guard let end = view.index(view.startIndex, offsetBy: scalars, limitedBy: view.endIndex), end < view.endIndex
        else { return self }
        return String(view[..<end].dropLast()) + "…"
    }
}
