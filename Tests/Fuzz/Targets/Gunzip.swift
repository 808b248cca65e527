import PromoDaemon

extension FuzzTarget {
    /// What is decompressed is within the limit, and a lower limit refuses it.
    static let gunzip = FuzzTarget(name: "gunzip") { input in
        guard let bytes = try? Gunzip.decompress(input, maximumBytes: 100_000) else { return }
        try require(bytes.count <= 100_000, "\(bytes.count) bytes are over the limit")
        let again = try? Gunzip.decompress(input, maximumBytes: bytes.count)
        try require(again == bytes, "the same bytes were decompressed to others")
        if bytes.isEmpty { return }
        let less = try? Gunzip.decompress(input, maximumBytes: bytes.count - 1)
        try require(less == nil, "\(bytes.count) bytes passed a lower limit")
    }
}
