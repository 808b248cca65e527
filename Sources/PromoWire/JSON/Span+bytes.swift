import Glibc

// The C library compares and searches many bytes at once, which a loop over a span does not. Each call here stays within the counts
// of its spans, and is done with the bytes when it returns.

extension Span where Element == UInt8 {
    /// Whether the bytes are those of another span.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe other.withUnsafeBytes { unsafe isEqual(toFirst: $0.baseAddress) }
    }

    /// Whether the bytes are those at a pointer, which must point to as many; nil points to none.
    @unsafe private func isEqual(toFirst other: UnsafeRawPointer?) -> Bool {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let other = unsafe other else { return true }
            return unsafe memcmp(base, other, bytes.count) == 0
        }
    }

    /// The index of the first byte with this value; nil if there is none.
    package func firstIndex(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base, Int32(byte), bytes.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// The index at which a text first begins; nil if the bytes do not contain it.
    package func firstIndex(of text: StaticString) -> Int? {
        let length = text.utf8CodeUnitCount
        var start = 0
        while let next = extracting(start...).firstIndex(of: unsafe text.utf8Start.pointee) {
            start += next
            guard start + length <= count else { break }
            if unsafe extracting(start..<start + length).isEqual(toFirst: text.utf8Start) { return start }
            start += 1
        }
        return nil
    }
}

extension Array<UInt8> {
    /// The bytes of a span.
    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends the bytes of a span.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

extension String {
    /// The text of a span, in which invalid UTF-8 is replaced.
    package init(decoding bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    package var isDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    /// Whether the byte is a hexadecimal digit in ASCII.
    package var isHexadecimalDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
