extension String {
    /// The text with a full stop, unless it ends a sentence already.
    package var sentence: String {
        guard let last, !".!?".contains(last) else { return self }
        return self + "."
    }
}
