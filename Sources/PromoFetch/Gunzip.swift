import CFetch

/// Decompresses gzip (RFC 1952), including bodies of several members in sequence, and zlib (RFC 1950), part by part.
///
/// libcurl would take a stream that ends too early for a whole one.
@safe package final class Gunzip {
    /// The bytes are not gzip, or end too early.
    package struct Invalid: Error {}

    /// The most bytes that are handed over at a time.
    private static let pieceBytes = FetchMessage.maximumPart

    /// zlib's stream; nil if there was no memory for one. It is used by its owner alone, and closed at the end of its life.
    private let stream: OpaquePointer?
    private var isAtEndOfMember = false

    /// A stream at its beginning; ``FetchLibraries`` must be loaded.
    package init() {
        unsafe stream = promod_inflater_open()
    }

    deinit {
        unsafe promod_inflater_close(stream)
    }

    /// Decompresses the next bytes.
    /// - Parameter take: gets what they hold, and returns whether to go on.
    /// - Returns: whether it went on to the end.
    package func decompress(_ bytes: [UInt8], _ take: ([UInt8]) -> Bool) throws(Invalid) -> Bool {
        var rest = bytes[...]
        while true {
            // Whatever is left in zlib fills a piece or ends before that.
            let (piece, used) = try inflate(rest)
            rest = rest.dropFirst(used)
            guard piece.isEmpty || take(piece) else { return false }
            if rest.isEmpty && piece.count < Self.pieceBytes { return true }
        }
    }

    /// The stream has ended.
    package func finish() throws(Invalid) {
        guard isAtEndOfMember else { throw Invalid() }
    }

    /// Returns the next piece, and how many bytes were used for it.
    private func inflate(_ bytes: ArraySlice<UInt8>) throws(Invalid) -> (piece: [UInt8], used: Int) {
        guard unsafe stream != nil else { throw Invalid() }
        var status: Int32 = 0
        var used = bytes.count
        // zlib gets both buffers with their counts, and is done with them when the call returns.
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { output, count in
            count = output.count
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe status = promod_inflater_run(stream, input.baseAddress, &used, output.baseAddress, &count)
            }
        }
        guard status >= 0, status == 1 || used > 0 || !piece.isEmpty || bytes.isEmpty else { throw Invalid() }
        if used > 0 || !piece.isEmpty { isAtEndOfMember = status == 1 }
        return (piece, used)
    }
}
