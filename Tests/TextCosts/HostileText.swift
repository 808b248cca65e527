/// Texts on which operations on characters take longer than on bytes.
enum HostileText: CaseIterable {
    /// Marks of alternating classes on one letter, which normalisation sorts.
    case marks
    /// The same as JSON's escapes.
    case escapedMarks
    case letters
    /// Halves of flags, whose pairs are counted from the first.
    case flags
    /// Pictures that are joined to one character.
    case joined
    /// The syllables of which Hangul's letters are composed.
    case jamo

    private var unit: String {
        switch self {
        case .marks: "\u{301}\u{323}"
        case .escapedMarks: "\\u0301\\u0323"
        case .letters: "A"
        case .flags: "\u{1F1E6}"
        case .joined: "\u{1F469}\u{200D}"
        case .jamo: "\u{1100}\u{1161}\u{11A8}"
        }
    }

    /// A text of at most so many bytes.
    func bytes(_ count: Int) -> [UInt8] {
        let unit = Array(unit.utf8)
        return Array("a".utf8) + (0..<(count - 1) / unit.count).flatMap { _ in unit }
    }
}
