import CZlib

/// Decompresses gzip (RFC 1952), including bodies of several members in sequence, and zlib (RFC 1950).
///
/// The stream refers to its input only while ``decompress(_:maximumBytes:)`` lends it that, and to its output only while one piece is
/// made, each with its count. It stays in one place from its initialisation to its end, because zlib refers back to it.
package enum Gunzip {
    /// Why bytes were not decompressed.
    package enum Failure: Error, Equatable {
        /// They are not gzip, or end too early.
        case invalid
        /// The result is larger than allowed.
        case tooLarge
    }

    /// Makes zlib detect the format by its first bytes.
    private static let windowBits: Int32 = 15 + 32
    private static let pieceBytes = 65_536

    /// Returns the decompressed bytes, at most `maximumBytes`.
    package static func decompress(_ bytes: [UInt8], maximumBytes: Int) throws(Failure) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&stream, windowBits, zlibVersion(), size) == Z_OK else { throw .invalid }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        let result = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(clamping: input.count)
            return Result { () throws(Failure) in try unsafe inflateMembers(&stream, maximumBytes: maximumBytes) }
        }
        return try result.get()
    }

    private static func inflateMembers(_ stream: inout z_stream, maximumBytes: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            let (piece, status) = unsafe inflatePiece(&stream)
            guard status == Z_OK || status == Z_STREAM_END else { throw .invalid }
            guard output.count + piece.count <= maximumBytes else { throw .tooLarge }
            output += piece
            guard status == Z_STREAM_END else { continue }
            if unsafe stream.avail_in == 0 { return output }
            guard unsafe inflateReset(&stream) == Z_OK else { throw .invalid }
        }
    }

    /// Returns the next bytes, and zlib's status: `Z_BUF_ERROR` if the input ends before the member does.
    private static func inflatePiece(_ stream: inout z_stream) -> (bytes: [UInt8], status: Int32) {
        var status = Z_OK
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
            unsafe stream.next_out = buffer.baseAddress
            unsafe stream.avail_out = UInt32(buffer.count)
            status = unsafe inflate(&stream, Z_NO_FLUSH)
            count = unsafe buffer.count - Int(stream.avail_out)
        }
        return (bytes, status)
    }
}
