extension BinaryInteger {
    /// The number with its noun, which is in the plural unless the number is 1.
    package func counting(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
