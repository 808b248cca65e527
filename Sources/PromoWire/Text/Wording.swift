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

    /// The lines of a message, printable, and without a word or a line that is longer than a few lines of a terminal: whoever quotes an
    /// argument or a path need not shorten it.
    package var messageLines: [String] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let words = OutsideText(line).text.printable.split(separator: " ", omittingEmptySubsequences: false)
            return words.map { String($0).middleElided(to: 200) }.joined(separator: " ").middleElided(to: 600)
        }
    }

    /// The text; if it has more Unicode scalars than allowed, its beginning and its end.
    private func middleElided(to scalars: Int) -> String {
        let view = unicodeScalars
        guard view.count > scalars else { return self }
        return String(view.prefix(scalars / 2)) + "…" + String(view.suffix(scalars / 2 - 1))
    }

    /// The text; if it has more Unicode scalars than allowed, its beginning with an ellipsis. One character may have any number of scalars.
    package func elided(to scalars: Int = 64) -> String {
        let view = unicodeScalars
        guard let end = view.index(view.startIndex, offsetBy: scalars, limitedBy: view.endIndex), end < view.endIndex
        else { return self }
        return String(view[..<end].dropLast()) + "…"
    }
}

/// The message for a person who has not configured a catalog.
package enum Unconfigured {
    /// The message.
    package static let text =
        "No catalog is configured. Begin with \"promoctl setup https://…\" (your catalog's address), or with "
        + "\"promoctl setup --sample\" to look around."
}

/// How a person starts promod.
package enum StartHint {
    /// The command for the service, which also brings back a socket that was removed.
    package static let service = "systemctl --user restart promod.socket"
    /// The command where there is no service.
    package static let program = "promod --background"
    /// The hint, in a sentence.
    package static let text = "Start it with \"\(service)\", or with \"\(program)\"."
}

/// The Levenshtein distance of two words: how many insertions, deletions and replacements turn one into the other.
package func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, leftByte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, rightByte) in right.enumerated() {
            let replaced = diagonal + (leftByte == rightByte ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}

/// The word that was probably meant: the nearest one but for case, if its edit distance is at most `distance`.
package func nearestWord(to word: String, among words: some Sequence<String>, within distance: Int) -> String? {
    func letters(_ word: String) -> [UInt8] { Array(word.elided().lowercased().utf8.prefix(64)) }
    let written = letters(word)
    let candidates = words.map { (word: $0, distance: editDistance(letters($0), written)) }
    return candidates.min { $0.distance < $1.distance }.flatMap { $0.distance <= distance ? $0.word : nil }
}
