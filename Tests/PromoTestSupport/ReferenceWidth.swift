import Foundation

/// The width of texts by Python's copy of Unicode, as a reference for the widths under test.
package enum ReferenceWidth {
    private static let program = """
        import json, sys, unicodedata
        def columns(text):
            count, previous, isJoined = 0, 0, False
            for character in text:
                code = ord(character)
                if character == '\\ufe0f':
                    count, previous = count + 2 - previous, 2
                elif isJoined or unicodedata.category(character) in ('Mn', 'Me', 'Cf') or 0x1160 <= code <= 0x11ff:
                    pass
                elif 0x1f1e6 <= code <= 0x1f1ff:
                    count, previous = count + 1, 1
                else:
                    previous = 2 if unicodedata.east_asian_width(character) in 'WF' else 1
                    count += previous
                isJoined = character == '\\u200d'
            return count
        print(json.dumps([columns(text) for text in json.load(sys.stdin)]))
        """

    /// The width of each text, in columns.
    package static func columns(_ texts: [String]) throws -> [Int] {
        let input = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        let (end, output, error) = try ChildProcess.run(["/usr/bin/python3", "-c", program], input: input)
        guard end == .exited(0) else { throw TestFailure("python3: \(error)") }
        return try JSONDecoder().decode([Int].self, from: Data(output.utf8))
    }
}
