extension String {
    /// The beginning of a text that somebody else wrote, for a message.
    ///
    /// It counts Unicode scalars, because one character may have any number of them.
    package func shortened(to scalars: Int = 64) -> String {
        String(unicodeScalars.prefix(scalars))
    }

    /// The text; if it has more Unicode scalars than allowed, its beginning with an ellipsis.
    package func elided(to scalars: Int) -> String {
        let view = unicodeScalars
        guard let end = view.index(view.startIndex, offsetBy: scalars, limitedBy: view.endIndex), end < view.endIndex
        else { return self }
        return String(view[..<end].dropLast()) + "…"
    }
}
