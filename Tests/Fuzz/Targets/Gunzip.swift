import PromoTestSupport

extension FuzzTarget {
    /// What is decompressed does not depend on how its bytes come, and stops where it is told to.
    static let gunzip = FuzzTarget(name: "gunzip") { input in
        if let problem = Gunzip.missingLibrary { throw Violation(description: problem) }
        guard case .whole(let bytes) = Gunzip.decompress(input, upTo: 100_000) else { return }
        try require(bytes.count <= 100_000, "\(bytes.count) bytes are over the limit")
        for size in [1, 7] {
            let end = Gunzip.decompress(input, by: size, upTo: 100_000)
            try require(end == .whole(bytes), "in pieces of \(size) they are others")
        }
        let padded = Gunzip.decompress(input + [0, 0], upTo: 100_000)
        try require(padded == .whole(bytes), "with zeros behind they are others")
        if bytes.isEmpty { return }
        let less = Gunzip.decompress(input, upTo: bytes.count - 1)
        try require(less == .overLimit, "\(bytes.count) bytes passed a lower limit")
    }
}
