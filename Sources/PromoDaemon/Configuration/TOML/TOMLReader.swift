import PromoWire

/// Reads the part of TOML 1.0 that the keys of a configuration need, with the line of each key. Other parts are refused by name: tables in
/// braces, lists of tables, lists in lists, strings of several lines, and keys in quotes. Numbers with a fraction, dates and times are
/// values of another type, and are not checked, because no key takes them.
struct TOMLReader {
    /// A key with its value, or a table without keys.
    struct Entry: Equatable {
        /// Tables and key, with dots between them.
        let name: String
        let value: ConfigurationValue
        /// The number of the line, from 1.
        let line: Int
    }

    private enum Kind {
        /// A table that was only named as the parent of another one.
        case parent
        case header
        case dottedKey
        case value
    }

    /// No key of the configuration has more than three parts.
    static let maximumDepth = 16

    private var scanner: TOMLScanner
    /// The kind of each name so far, because it may be defined only once.
    private var kinds: [String: Kind] = [:]
    /// The tables that have keys or tables in them.
    private var parents: Set<String> = []
    private var entries: [Entry] = []

    private init(_ bytes: [UInt8]) {
        scanner = TOMLScanner(bytes)
    }

    /// Reads a text, which must be UTF-8.
    /// - Throws: ``TOMLProblem`` if it is not TOML that promod reads.
    static func entries(of bytes: [UInt8]) throws(TOMLProblem) -> [Entry] {
        var reader = TOMLReader(bytes)
        try reader.read()
        return reader.entries.filter { $0.value != .table || !reader.parents.contains($0.name) }
    }

    private mutating func read() throws(TOMLProblem) {
        var table = ""
        while true {
            try scanner.skipSpace()
            if scanner.isAtEnd { return }
            if scanner.sees("[") {
                table = try readHeader()
            } else {
                try readPair(in: table)
            }
            try scanner.endLine()
        }
    }

    private mutating func readHeader() throws(TOMLProblem) -> String {
        let start = scanner
        if scanner.sees("[[") { throw scanner.unread("a list of tables") }
        _ = scanner.skip("[")
        let (name, above) = try readKey(in: "", at: start)
        guard scanner.skip("]") else {
            throw scanner.unexpected(or: "a closing bracket is missing after the table's name")
        }
        for parent in above {
            guard kinds[parent] != .value else { throw start.problem("\(name) is defined twice") }
            kinds[parent] = kinds[parent] ?? .parent
        }
        guard kinds[name] == nil || kinds[name] == .parent else { throw start.problem("\(name) is defined twice") }
        kinds[name] = .header
        entries.append(Entry(name: name, value: .table, line: start.line))
        return name
    }

    /// Reads a key, an equals sign and a value.
    private mutating func readPair(in table: String) throws(TOMLProblem) {
        let start = scanner
        let (name, above) = try readKey(in: table, at: start)
        guard scanner.skip("=") else { throw scanner.unexpected(or: "an equals sign is missing after the key") }
        for parent in above {
            guard [nil, .parent, .dottedKey].contains(kinds[parent]) else {
                throw start.problem("\(name) is defined twice")
            }
            kinds[parent] = .dottedKey
        }
        guard kinds[name] == nil else { throw start.problem("\(name) is defined twice") }
        kinds[name] = .value
        parents.insert(table)
        scanner.skipBlanks()
        entries.append(Entry(name: name, value: try scanner.sees("[") ? readList() : readScalar(), line: start.line))
    }

    /// Reads the parts of a key or of a header.
    /// - Returns: the whole name, and those of the tables above it that the parts name.
    private mutating func readKey(
        in table: String, at start: TOMLScanner
    ) throws(TOMLProblem) -> (name: String, above: [String]) {
        let parts = try scanner.readKey()
        guard parts.count <= Self.maximumDepth else {
            throw start.problem("nested more than \(Self.maximumDepth) levels deep")
        }
        var (name, above): (String, [String]) = (table, [])
        for (index, part) in parts.enumerated() {
            if index > 0 { above.append(name) }
            name += name.isEmpty ? part : ".\(part)"
        }
        parents.formUnion(above)
        return (name, above)
    }

    // MARK: Values

    private mutating func readScalar() throws(TOMLProblem) -> ConfigurationValue {
        if scanner.sees("{") { throw scanner.unread("a table in braces") }
        let start = scanner
        if let text = try scanner.readString() { return .string(text) }
        let word = try scanner.readBareValue()
        if let boolean = Bool(word) { return .boolean(boolean) }
        if let integer = Self.integer(word) { return .integer(integer) }
        if word.first?.isLetter == true { throw start.problem("a text needs quotes") }
        return .other
    }

    private mutating func readList() throws(TOMLProblem) -> ConfigurationValue {
        let start = scanner.problem("the list that begins here has no closing bracket")
        _ = scanner.skip("[")
        var values: [ConfigurationValue] = []
        try scanner.skipSpace()
        while !scanner.skip("]") {
            if scanner.isAtEnd { throw start }
            if scanner.sees("[") { throw scanner.unread("a list in a list") }
            values.append(try readScalar())
            try scanner.skipSpace()
            if scanner.isAtEnd { throw start }
            guard scanner.skip(",") || scanner.sees("]") else {
                throw scanner.unexpected(or: "a comma or a closing bracket is missing in the list")
            }
            try scanner.skipSpace()
        }
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return texts.count == values.count ? .list(texts) : .other
    }

    /// A decimal integer, which may have underscores between its digits; nil for any other word.
    private static func integer(_ word: String) -> Int? {
        let sign = word.prefix { $0 == "+" || $0 == "-" }
        let digits = word.dropFirst(sign.count)
        let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
            digits == "0" || !digits.hasPrefix("0")
        else { return nil }
        return Int(sign + groups.joined())
    }
}
