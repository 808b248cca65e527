import PromoWire

extension FuzzTarget {
    /// However a stream is cut into pieces, its lines are the same.
    static let framer = FuzzTarget(name: "framer") { input in
        var (stream, script) = Script.split(input)
        let limit = 1 + script.number(below: 64)
        let expected = lines(of: stream, limit: limit)
        var framer = LineFramer(maximumLength: limit)
        var found: [LineFramer.Event] = []
        while !stream.isEmpty {
            let count = script.piece(of: stream.count)
            let piece = Array(stream.prefix(count))
            framer.append(piece.span)
            stream = stream.dropFirst(count)
            while let event = framer.next() { found.append(event) }
            try require(framer.isSearched, "next() returned nil, but not everything is searched")
        }
        if let event = framer.finish() { found.append(event) }
        try require(found == expected, "the lines are \(found), not \(expected)")
        try require(framer.isEmpty, "bytes are held after the end")
    }

    private static func lines(of stream: ArraySlice<UInt8>, limit: Int) -> [LineFramer.Event] {
        var lines = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last == [] { lines.removeLast() }
        let whole = lines.prefix { $0.count <= limit }
        return whole.map(LineFramer.Event.line) + (whole.count < lines.count ? [.tooLong] : [])
    }
}
