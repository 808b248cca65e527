import PromoFetch

extension FuzzTarget {
    /// What is decompressed does not depend on how its bytes come, and stops where it is told to.
    static let gunzip = FuzzTarget(name: "gunzip") { input in
        if let problem = loaded { throw Violation(description: problem) }
        guard let bytes = decompressed(input, by: input.count, upTo: 100_000) else { return }
        try require(bytes.count <= 100_000, "\(bytes.count) bytes are over the limit")
        for size in [1, 7] {
            try require(
                decompressed(input, by: size, upTo: 100_000) == bytes, "in pieces of \(size) they are others")
        }
        if bytes.isEmpty { return }
        let less = decompressed(input, by: input.count, upTo: bytes.count - 1)
        try require(less == nil, "\(bytes.count) bytes passed a lower limit")
    }

    private static let loaded = FetchLibraries.load()

    /// What comes of bytes that arrive in pieces of a size; nil if they are not valid, or if it is more than the limit.
    private static func decompressed(_ input: [UInt8], by size: Int, upTo limit: Int) -> [UInt8]? {
        let gunzip = Gunzip()
        var result: [UInt8] = []
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(size, 1))
            rest = rest.dropFirst(piece.count)
            let goesOn = try? gunzip.decompress(Array(piece)) { bytes in
                result += bytes
                return result.count <= limit
            }
            guard goesOn == true else { return nil }
        }
        return (try? gunzip.finish()).map { result }
    }
}
