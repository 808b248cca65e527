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
    func letters(_ word: String) -> [UInt8] { Array(word.shortened().lowercased().utf8.prefix(64)) }
    let written = letters(word)
    let candidates = words.map { (word: $0, distance: editDistance(letters($0), written)) }
    return candidates.min { $0.distance < $1.distance }.flatMap { $0.distance <= distance ? $0.word : nil }
}
