/// The strict JSON parser. In one pass over the bytes, it checks everything and builds a document's index.
struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0
    private var nodes: [JSONDocument.Node] = []

    /// The index of a text's values.
    static func index(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) -> [JSONDocument.Node] {
        guard bytes.count < Int32.max else { throw JSONError(problem: .tooLarge, offset: Int(Int32.max)) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError(problem: .byteOrderMark, offset: 0) }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONError(problem: .invalidUTF8, offset: error.byteOffsets.lowerBound)
        }
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
        return try parser.parseText()
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        nodes.reserveCapacity(min(16 + bytes.count / 16, 1 << 16))
    }

    private mutating func parseText() throws(JSONError) -> [JSONDocument.Node] {
        skipWhiteSpace()
        guard position < bytes.count else { throw failure(.empty) }
        try parseValue()
        skipWhiteSpace()
        guard position == bytes.count else { throw failure(.trailingBytes) }
        return nodes
    }

    // MARK: Values

    private mutating func parseValue() throws(JSONError) {
        guard let byte = peek() else { throw failure(.endOfText) }
        switch byte {
        case UInt8(ascii: "{"): try parseObject()
        case UInt8(ascii: "["): try parseArray()
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"): try parseWord("true", .true)
        case UInt8(ascii: "f"): try parseWord("false", .false)
        case UInt8(ascii: "n"): try parseWord("null", .null)
        default: throw failure(.unexpected(expected: "a JSON value"))
        }
    }

    private mutating func parseObject() throws(JSONError) {
        let object = try enter(.object)
        skipWhiteSpace()
        var count = 0
        var hasEscapedName = false
        if peek() != UInt8(ascii: "}") {
            while true {
                guard let byte = peek() else { throw failure(.endOfText) }
                guard byte == UInt8(ascii: "\"") else {
                    throw failure(.unexpected(expected: "a member's name in quotes"))
                }
                let name = nodes.count
                try parseString()
                count += 1
                hasEscapedName = hasEscapedName || nodes[name].isEscaped
                if count <= Self.comparedPairwise { try rejectDuplicate(of: name, in: object) }
                skipWhiteSpace()
                try expect(":", "a colon after the member's name")
                skipWhiteSpace()
                try parseValue()
                skipWhiteSpace()
                guard try continues(closing: "}") else { break }
            }
        }
        if count > Self.comparedPairwise || hasEscapedName { try rejectDuplicates(in: object) }
        leave(object)
    }

    private mutating func parseArray() throws(JSONError) {
        let array = try enter(.array)
        skipWhiteSpace()
        if peek() != UInt8(ascii: "]") {
            while true {
                try parseValue()
                skipWhiteSpace()
                guard try continues(closing: "]") else { break }
            }
        }
        leave(array)
    }

    /// After a value, reads the comma before the next one; false if the array or the object ends instead.
    private mutating func continues(closing: Unicode.Scalar) throws(JSONError) -> Bool {
        guard let byte = peek() else { throw failure(.endOfText) }
        if byte == UInt8(ascii: closing) { return false }
        let comma = position
        try expect(",", "a comma or \(closing)")
        skipWhiteSpace()
        if peek() == UInt8(ascii: closing) { throw JSONError(problem: .trailingComma, offset: comma) }
        return true
    }

    private mutating func enter(_ kind: JSONValue.Kind) throws(JSONError) -> Int {
        guard depth < maximumDepth else { throw failure(.tooDeep(limit: maximumDepth)) }
        depth += 1
        nodes.append(.init(kind: kind, start: Int32(position), end: 0, next: 0))
        position += 1
        return nodes.count - 1
    }

    private mutating func leave(_ index: Int) {
        position += 1
        depth -= 1
        nodes[index].end = Int32(position)
        nodes[index].next = Int32(nodes.count)
    }

    private mutating func append(_ kind: JSONValue.Kind, from start: Int, to end: Int, isEscaped: Bool = false) {
        nodes.append(
            .init(kind: kind, isEscaped: isEscaped, start: Int32(start), end: Int32(end), next: Int32(nodes.count + 1)))
    }

    private mutating func parseWord(_ word: String, _ kind: JSONValue.Kind) throws(JSONError) {
        let start = position
        for expected in word.utf8 {
            guard let byte = peek() else { throw failure(.endOfText) }
            guard byte == expected else { throw failure(.unexpected(expected: word)) }
            position += 1
        }
        append(kind, from: start, to: position)
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(JSONError) {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        if peek() == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        if let byte = peek(), byte.isDigit { throw failure(.badNumber) }
        append(.number, from: start, to: position)
    }

    private mutating func skipDigits() throws(JSONError) {
        guard let byte = peek(), byte.isDigit else { throw failure(.badNumber) }
        while let byte = peek(), byte.isDigit { position += 1 }
    }

    // MARK: Strings

    private mutating func parseString() throws(JSONError) {
        position += 1
        let start = position
        var isEscaped = false
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                append(.string, from: start, to: position, isEscaped: isEscaped)
                position += 1
                return
            case UInt8(ascii: "\\"):
                isEscaped = true
                try skipEscape()
            case 0..<0x20:
                throw failure(.controlCharacter)
            default:
                position += 1
            }
        }
        throw failure(.endOfText)
    }

    private mutating func skipEscape() throws(JSONError) {
        let start = position
        position += 1
        guard let byte = peek() else { throw failure(.endOfText) }
        position += 1
        guard byte == UInt8(ascii: "u") else {
            guard Self.simpleEscape(byte) != nil else { throw JSONError(problem: .badEscape, offset: start) }
            return
        }
        let unit = try codeUnit(of: start)
        if UTF16.isTrailSurrogate(unit) { throw JSONError(problem: .loneSurrogate, offset: start) }
        guard UTF16.isLeadSurrogate(unit) else { return }
        guard peek() == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            throw JSONError(problem: .loneSurrogate, offset: start)
        }
        let second = position
        position += 2
        guard UTF16.isTrailSurrogate(try codeUnit(of: second)) else {
            throw JSONError(problem: .loneSurrogate, offset: start)
        }
    }

    /// Reads the four hexadecimal digits of the escape that begins at `start`.
    private mutating func codeUnit(of start: Int) throws(JSONError) -> UInt16 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard let unit = Self.codeUnit(digits) else { throw JSONError(problem: .badEscape, offset: start) }
        guard digits.count == 4 else { throw JSONError(problem: .endOfText, offset: bytes.count) }
        position += 4
        return unit
    }

    private static func codeUnit(_ digits: some Collection<UInt8>) -> UInt16? {
        var unit: UInt16 = 0
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    private static func simpleEscape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Decodes a checked string that has escapes.
    static func unescape(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var position = raw.startIndex
        while position < raw.endIndex {
            guard raw[position] == UInt8(ascii: "\\") else {
                result.append(raw[position])
                position += 1
                continue
            }
            if let simple = simpleEscape(raw[position + 1]) {
                result.append(simple)
                position += 2
                continue
            }
            let (scalar, length) = scalar(raw[position...])
            result.append(contentsOf: scalar.utf8)
            position += length
        }
        return result
    }

    /// The scalar of the checked `\u` escape, or of the pair of them, with which the bytes begin, and its length.
    private static func scalar(_ raw: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int) {
        let unit = codeUnit(raw.dropFirst(2).prefix(4)) ?? 0xFFFD
        guard UTF16.isLeadSurrogate(unit) else { return (Unicode.Scalar(unit) ?? "\u{FFFD}", 6) }
        let trail = codeUnit(raw.dropFirst(8).prefix(4)) ?? 0xFFFD
        let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        return (Unicode.Scalar(value) ?? "\u{FFFD}", 12)
    }

    // MARK: Duplicate members

    /// Up to this many members, each name is compared with those before it. For more, and for names with escapes, a set is cheaper, and
    /// the comparisons of a hostile text do not become quadratic.
    private static let comparedPairwise = 8

    private func rejectDuplicate(of name: Int, in object: Int) throws(JSONError) {
        var other = object + 1
        while other < name {
            if raw(nodes[other]).elementsEqual(raw(nodes[name])) { throw duplicate(name) }
            other = Int(nodes[other + 1].next)
        }
    }

    private func rejectDuplicates(in object: Int) throws(JSONError) {
        var seen: Set<[UInt8]> = []
        var name = object + 1
        while name < nodes.count {
            guard seen.insert(unescaped(nodes[name])).inserted else { throw duplicate(name) }
            name = Int(nodes[name + 1].next)
        }
    }

    private func raw(_ node: JSONDocument.Node) -> ArraySlice<UInt8> {
        bytes[Int(node.start)..<Int(node.end)]
    }

    private func unescaped(_ node: JSONDocument.Node) -> [UInt8] {
        node.isEscaped ? Self.unescape(raw(node)) : Array(raw(node))
    }

    private func duplicate(_ name: Int) -> JSONError {
        let shown = OutsideText(unescaped(nodes[name])).shown()
        return JSONError(problem: .duplicateMember(shown), offset: Int(nodes[name].start) - 1)
    }

    // MARK: Bytes

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func expect(_ scalar: Unicode.Scalar, _ expected: String) throws(JSONError) {
        guard let byte = peek() else { throw failure(.endOfText) }
        guard byte == UInt8(ascii: scalar) else { throw failure(.unexpected(expected: expected)) }
        position += 1
    }

    private func failure(_ problem: JSONError.Problem) -> JSONError {
        let isOdd = peek().map { !(0x20...0x7E ~= $0) } ?? false
        return JSONError(problem: problem, offset: position, found: isOdd ? bytes[...].scalar(at: position) : nil)
    }
}
