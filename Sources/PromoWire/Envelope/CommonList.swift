/// A `list` as almost all clients write it, read in one pass over the bytes of its line, without an allocation.
///
/// Such a line has no escapes, each member at most once, and no blanks except single spaces after a brace, a colon or a comma, as
/// some libraries write it. Any other line is left to the general reader. Both readers agree on a common list, which a test checks
/// on generated lines.
package struct CommonList: Equatable, Sendable {
    /// The range of the id in the line, including quotes; nil if a flat line has no id.
    package private(set) var id: Range<Int>?
    /// The range of the host's id in the line.
    package private(set) var host: Range<Int>?
    /// The range of the language in the line.
    package private(set) var language: Range<Int>?
    package private(set) var limit: Int?
    /// The range of the catalog's name in the line; a list that names an address is left to the general reader.
    package private(set) var catalog: Range<Int>?

    private var isStrict = false
    private var hasMethod = false
    private var hasParams = false

    /// The longest language, and the longest id, of a common list.
    private static let maximumText = 64
    /// Every number with at most this many digits fits into an integer.
    private static let maximumDigits = 9

    /// The length of the line in bytes, including its line feed.
    package private(set) var length = 0

    /// Reads the line at the start of the bytes; nil if it is not a common list, or has no line feed.
    package init?(_ bytes: Span<UInt8>) {
        var at = 0
        guard readObject(bytes, &at, isParams: false), Self.skip("\n", bytes, &at), hasMethod else { return nil }
        // Without an id, a strict line is a notification; a flat one gets a reply with the id null.
        guard !isStrict || id != nil else { return nil }
        length = at
    }

    /// Reads an object, including both braces.
    private mutating func readObject(_ line: Span<UInt8>, _ at: inout Int, isParams: Bool) -> Bool {
        guard Self.skip("{", line, &at) else { return false }
        if isParams, Self.skip("}", line, &at) { return true }
        repeat {
            Self.skipBlank(line, &at)
            guard let name = Self.text(line, &at), Self.skip(":", line, &at) else { return false }
            Self.skipBlank(line, &at)
            guard readMember(name, line, &at, isParams: isParams) else { return false }
        } while Self.skip(",", line, &at)
        return Self.skip("}", line, &at)
    }

    private mutating func readMember(
        _ name: Range<Int>, _ line: Span<UInt8>, _ at: inout Int, isParams: Bool
    ) -> Bool {
        // Most names differ in length, so one comparison is usually enough.
        switch name.count {
        case 2 where isEqual("id", line, name): return !isParams && readID(line, &at)
        case 4 where isEqual("host", line, name): return isAllowed(isParams) && readHost(line, &at)
        case 5 where isEqual("limit", line, name): return isAllowed(isParams) && readLimit(line, &at)
        case 6 where isEqual("method", line, name): return !isParams && readMethod(line, &at)
        case 6 where isEqual("params", line, name): return !isParams && readParams(line, &at)
        case 7 where isEqual("jsonrpc", line, name): return !isParams && readVersion(line, &at)
        case 7 where isEqual("catalog", line, name): return isAllowed(isParams) && readCatalog(line, &at)
        case 8 where isEqual("language", line, name): return isAllowed(isParams) && readLanguage(line, &at)
        default: return false
        }
    }

    private mutating func readMethod(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard !hasMethod, let value = Self.text(line, &at) else { return false }
        hasMethod = true
        return value.count == 4 && isEqual("list", line, value)
    }

    private mutating func readVersion(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard !isStrict, hasParams || !hasParameter, let value = Self.text(line, &at) else { return false }
        isStrict = true
        return value.count == 3 && isEqual("2.0", line, value)
    }

    private mutating func readParams(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard !hasParams, !hasParameter else { return false }
        hasParams = true
        return readObject(line, &at, isParams: true)
    }

    private var hasParameter: Bool { host != nil || language != nil || limit != nil || catalog != nil }

    /// Whether a parameter may be here: in `params`, or beside the method if the line is flat and has no `params`.
    private func isAllowed(_ isParams: Bool) -> Bool { isParams || !hasParams && !isStrict }

    private mutating func readHost(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard host == nil, let value = Self.word(line, &at, maximum: AppID.maximumLength) else { return false }
        host = value
        return true
    }

    private mutating func readCatalog(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard catalog == nil, let value = Self.word(line, &at, maximum: CatalogReference.maximumLength) else {
            return false
        }
        catalog = value
        return true
    }

    private mutating func readLanguage(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard language == nil, let value = Self.text(line, &at), 1...Self.maximumText ~= value.count else {
            return false
        }
        language = value
        return true
    }

    private mutating func readLimit(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard limit == nil, let digits = Self.digits(line, &at), line[digits.lowerBound] != UInt8(ascii: "0") else {
            return false
        }
        var number = 0
        for index in digits { number = number * 10 + Int(line[index] - UInt8(ascii: "0")) }
        limit = number
        return true
    }

    private mutating func readID(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard id == nil else { return false }
        id = Self.id(line, &at)
        return id != nil
    }

    /// Reads an id: a number without a sign, or a short text with its quotes.
    static func id(_ line: Span<UInt8>, _ at: inout Int) -> Range<Int>? {
        if at < line.count, line[at].isDigit {
            guard let digits = digits(line, &at) else { return nil }
            return digits.count == 1 || line[digits.lowerBound] != UInt8(ascii: "0") ? digits : nil
        }
        guard let value = text(line, &at), value.count <= maximumText else { return nil }
        return value.lowerBound - 1..<value.upperBound + 1
    }

    // MARK: Bytes

    private static func skipBlank(_ line: Span<UInt8>, _ at: inout Int) {
        if at < line.count, line[at] == UInt8(ascii: " ") { at += 1 }
    }

    private static func skip(_ character: Unicode.Scalar, _ line: Span<UInt8>, _ at: inout Int) -> Bool {
        guard at < line.count, line[at] == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    /// Reads a string of printable ASCII without escapes, and returns the range between its quotes.
    private static func text(_ line: Span<UInt8>, _ at: inout Int) -> Range<Int>? {
        guard skip("\"", line, &at) else { return nil }
        let start = at
        while at < line.count {
            switch line[at] {
            case UInt8(ascii: "\""):
                at += 1
                return start..<at - 1
            case UInt8(ascii: "\\"), ..<0x20, 0x7F...: return nil
            default: at += 1
            }
        }
        return nil
    }

    /// Reads a string that is an app's id or a catalog's name, but for its length, and returns the range between its quotes.
    private static func word(_ line: Span<UInt8>, _ at: inout Int, maximum: Int) -> Range<Int>? {
        guard let value = text(line, &at), 1...maximum ~= value.count else { return nil }
        for index in value where !isIDByte(line[index]) { return nil }
        return value
    }

    /// Reads one or more digits, but not more than always fit.
    private static func digits(_ line: Span<UInt8>, _ at: inout Int) -> Range<Int>? {
        let start = at
        while at < line.count, line[at].isDigit { at += 1 }
        return 1...maximumDigits ~= at - start ? start..<at : nil
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private func isEqual(_ text: StaticString, _ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
        line.extracting(range).isEqual(to: text)
    }
}
