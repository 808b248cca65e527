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
