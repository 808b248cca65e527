extension BinaryInteger {
    /// The number with its noun, in the plural unless the number is 1.
    package func counting(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}

extension String {
    /// The text with a full stop, unless it already ends a sentence.
    package var sentence: String {
        guard let last = utf8.last, !".!?".utf8.contains(last) else { return self }
        return self + "."
    }
}
