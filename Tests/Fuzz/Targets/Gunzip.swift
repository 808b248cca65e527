import PromoTestSupport

extension FuzzTarget {
    /// What is decompressed stops where it is told to, and zeros change nothing.
    static let gunzip = FuzzTarget(name: "gunzip") { input in
        if let problem = Gunzip.missingLibrary { throw Violation(description: problem) }
        let end = Gunzip.decompress(input, upTo: 100_000)
        guard case .whole(let bytes) = end else { return }
        try require(Gunzip.decompress(input + [0, 0], upTo: 100_000) == end, "with zeros behind they are others")
        try require(Gunzip.decompress(input, upTo: bytes.count) == end, "as many bytes as allowed are refused")
        if bytes.isEmpty { return }
        let less = Gunzip.decompress(input, upTo: bytes.count - 1)
        try require(less == .overLimit, "\(bytes.count) bytes passed a lower limit")
    }
}
