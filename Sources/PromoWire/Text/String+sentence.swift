extension String {
    /// The text with a full stop, unless it ends a sentence already.
    package var sentence: String {
        guard let last = utf8.last, !".!?".utf8.contains(last) else { return self }
        return self + "."
    }
}
