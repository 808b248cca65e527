import PromoWire

/// Reads a text in TOML 1.0 into the keys and values of a configuration, each with its line.
///
/// Numbers with a fraction, dates and times are not checked, because no key takes them: each is a value of another type.
struct TOMLReader {
    /// A key with its value, or a table without keys.
    struct Entry {
        let path: [OutsideText]
        let value: ConfigurationValue
        /// The number of the line, from 1.
        let line: Int
    }

    /// No key of the configuration has more than two parts, and no list is nested.
    static let maximumDepth = 16

    private var scanner: TOMLScanner
    /// The names of the text, and after them those of each table in braces that is being read.
    private var scopes = [TOMLTables()]
    private var entries: [Entry] = []

    private init(_ bytes: [UInt8]) {
        scanner = TOMLScanner(bytes)
    }

    /// Reads a text, which must be UTF-8.
    /// - Throws: ``TOMLProblem`` if it is not TOML, or is nested deeper than any configuration.
    static func entries(of bytes: [UInt8]) throws(TOMLProblem) -> [Entry] {
        var reader = TOMLReader(bytes)
        try reader.read()
        return reader.visibleEntries
    }

    /// The entries without those of lists of tables and without the headers of tables that have keys.
    private var visibleEntries: [Entry] {
        let entries = entries.filter { !$0.path.contains { $0.bytes.first == 0 } }
        let parents = Set(entries.flatMap { entry in entry.path.indices.map { Array(entry.path[..<$0]) } })
        return entries.filter { $0.value != .table || !parents.contains($0.path) }
    }

    // MARK: Statements

    private mutating func read() throws(TOMLProblem) {
        var table: [OutsideText] = []
        while true {
            try scanner.skipSpace()
            if scanner.isAtEnd { return }
            if scanner.sees("[") {
                table = try readHeader()
            } else {
                entries += try readPair(in: table)
            }
            try scanner.endLine()
        }
    }

    private mutating func readHeader() throws(TOMLProblem) -> [OutsideText] {
        let start = scanner
        let isList = scanner.skip("[[")
        if !isList { _ = scanner.skip("[") }
        let parts = try scanner.readKey()
        guard isList ? scanner.skip("]]") : scanner.skip("]") else {
            throw scanner.unexpected(or: "a closing bracket is missing after the table's name")
        }
        try checkDepth(parts.count, at: start)
        guard let path = isList ? scopes[0].define(listHeader: parts) : scopes[0].define(header: parts) else {
            throw start.problem("\(Self.shown(parts)) is defined twice")
        }
        let name = isList ? Array(path.dropLast()) : path
        entries.append(Entry(path: name, value: isList ? .other : .table, line: start.line))
        return path
    }

    /// Reads a key, an equals sign and a value.
    private mutating func readPair(in table: [OutsideText], depth: Int = 0) throws(TOMLProblem) -> [Entry] {
        let start = scanner
        let parts = try scanner.readKey()
        try checkDepth(parts.count, at: start)
        guard scanner.skip("=") else { throw scanner.unexpected(or: "an equals sign is missing after the key") }
        guard let path = scopes[scopes.count - 1].define(key: parts, in: table) else {
            throw start.problem("\(Self.shown(parts)) is defined twice")
        }
        scanner.skipBlanks()
        if scanner.sees("{") {
            let inner = try readInlineTable(depth: depth)
            if inner.isEmpty { return [Entry(path: path, value: .table, line: start.line)] }
            return inner.map { Entry(path: path + $0.path, value: $0.value, line: $0.line) }
        }
        return [Entry(path: path, value: try readValue(depth: depth), line: start.line)]
    }

    // MARK: Values

    private mutating func readValue(depth: Int) throws(TOMLProblem) -> ConfigurationValue {
        if scanner.sees("[") { return try readList(depth: depth) }
        if scanner.sees("{") {
            _ = try readInlineTable(depth: depth)
            return .other
        }
        let start = scanner
        if let text = try scanner.readString() { return .string(text) }
        let word = try scanner.readBareValue()
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "inf", "nan": return .other
        default: break
        }
        if word.first?.isLetter == true { throw start.problem("a text needs quotes") }
        return try Self.integer(word, at: start).map(ConfigurationValue.integer) ?? .other
    }

    private mutating func readList(depth: Int) throws(TOMLProblem) -> ConfigurationValue {
        try checkDepth(depth + 1, at: scanner)
        let start = scanner.problem("the list that begins here has no closing bracket")
        _ = scanner.skip("[")
        var values: [ConfigurationValue] = []
        try scanner.skipSpace()
        while !scanner.skip("]") {
            if scanner.isAtEnd { throw start }
            values.append(try readValue(depth: depth + 1))
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

    /// Reads a table in braces; the paths begin in it.
    private mutating func readInlineTable(depth: Int) throws(TOMLProblem) -> [Entry] {
        try checkDepth(depth + 1, at: scanner)
        _ = scanner.skip("{")
        var entries: [Entry] = []
        scopes.append(TOMLTables())
        defer { scopes.removeLast() }
        scanner.skipBlanks()
        if scanner.skip("}") { return [] }
        repeat {
            scanner.skipBlanks()
            entries += try readPair(in: [], depth: depth + 1)
            scanner.skipBlanks()
        } while scanner.skip(",")
        guard scanner.skip("}") else {
            throw scanner.unexpected(or: "a comma or a closing brace is missing in the table")
        }
        return entries
    }

    /// An integer in any of its four bases; nil for another number.
    private static func integer(_ word: String, at start: TOMLScanner) throws(TOMLProblem) -> Int? {
        let radixes = ["0x": 16, "0o": 8, "0b": 2]
        let radix = radixes[String(word.prefix(2))]
        let sign = radix == nil && (word.hasPrefix("+") || word.hasPrefix("-")) ? word.prefix(1) : ""
        let digits = word.dropFirst(radix == nil ? sign.count : 2)
        let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
        let isWhole = groups.allSatisfy { group in
            !group.isEmpty && group.allSatisfy { $0.hexDigitValue.map { $0 < radix ?? 10 } == true }
        }
        guard isWhole, radix != nil || digits == "0" || !digits.hasPrefix("0") else { return nil }
        guard let number = Int(sign + groups.joined(), radix: radix ?? 10) else {
            throw start.problem("the number is too large")
        }
        return number
    }

    private func checkDepth(_ depth: Int, at start: TOMLScanner) throws(TOMLProblem) {
        guard depth <= Self.maximumDepth else {
            throw start.problem("nested more than \(Self.maximumDepth) levels deep")
        }
    }

    private static func shown(_ parts: [OutsideText]) -> String { parts.map { $0.shown() }.joined(separator: ".") }
}
