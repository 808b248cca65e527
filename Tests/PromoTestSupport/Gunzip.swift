import CFetch

/// The decompression of the fetching process.
package enum Gunzip {
    /// A library that is missing; nil if none is.
    package static let missingLibrary = promod_fetch_load().map { String(cString: $0) }

    /// What came of some bytes.
    package enum End: Equatable, Sendable {
        case whole([UInt8])
        case overLimit
        case invalid
    }

    /// Decompresses bytes, if they are no more than the limit then.
    package static func decompress(_ bytes: [UInt8], upTo limit: Int) -> End {
        guard missingLibrary == nil else { return .invalid }
        var decoded = [UInt8](repeating: 0, count: limit)
        let count = promod_gunzip(bytes, bytes.count, &decoded, limit)
        return count >= 0
            ? .whole(Array(decoded.prefix(count))) : count == Int(PROMOD_TOO_LARGE) ? .overLimit : .invalid
    }
}
