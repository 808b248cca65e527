import CFetch

/// The decompression of the fetching process.
package enum Gunzip {
    /// What came of some bytes.
    package enum End: Equatable, Sendable {
        case whole([UInt8])
        case overLimit
        case invalid
    }

    private final class Taken {
        let limit: Int
        var bytes: [UInt8] = []

        init(limit: Int) {
            self.limit = limit
        }
    }

    /// A library that is missing; nil if none is.
    package static let missingLibrary = promod_fetch_load().map { String(cString: $0) }

    /// The number of bytes that were valid when the last decompression ended.
    package static var offset: Int { Int(promod_gunzip_offset()) }

    /// Decompresses bytes that arrive in pieces of a size, and stops when there is more than the limit.
    package static func decompress(_ bytes: [UInt8], by size: Int = .max, upTo limit: Int = .max) -> End {
        let taken = Taken(limit: limit)
        guard missingLibrary == nil, promod_gunzip_begin() != 0 else { return .invalid }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(piece.count)
            let end = promod_gunzip(
                piece, piece.count,
                { context, _, bytes, count in
                    guard let context else { return 0 }
                    let taken = Unmanaged<Taken>.fromOpaque(context).takeUnretainedValue()
                    taken.bytes += UnsafeBufferPointer(start: bytes, count: count)
                    return taken.bytes.count <= taken.limit ? 1 : 0
                }, Unmanaged.passUnretained(taken).toOpaque())
            guard end == 1 else { return end == 0 ? .overLimit : .invalid }
        }
        return promod_gunzip_is_whole() != 0 ? .whole(taken.bytes) : .invalid
    }
}
