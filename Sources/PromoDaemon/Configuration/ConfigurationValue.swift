import PromoWire

/// A value in a layer of the configuration.
enum ConfigurationValue: Equatable, Sendable {
    /// A value from the environment or the command line, where everything is text.
    case untyped(OutsideText)
    case string(OutsideText)
    /// A value without quotes: a whole number, true or false.
    case word(String)
    /// A list of strings.
    case list([OutsideText])

    /// The longest path that the kernel takes, in bytes.
    static let maximumPath = 4095

    /// The value if it is a string.
    var string: OutsideText? {
        switch self {
        case .untyped(let text), .string(let text): text
        case .word, .list: nil
        }
    }

    /// The value if it is a string in ASCII and no longer than any key takes.
    var text: String? { string?.ascii(upTo: HTTPSURL.maximumLength) }

    /// The value as an absolute path.
    var path: String? {
        guard let string, string.bytes.first == UInt8(ascii: "/"), string.bytes.count <= Self.maximumPath,
            !string.bytes.contains(0)
        else { return nil }
        return String(decoding: string.bytes, as: UTF8.self)
    }

    /// The strings of a list, or a single string.
    var texts: [OutsideText]? {
        if case .list(let texts) = self { texts } else { string.map { [$0] } }
    }

    var boolean: Bool? {
        switch self {
        case .untyped: text.flatMap { Bool($0) }
        case .word(let word): Bool(word)
        case .string, .list: nil
        }
    }

    var integer: Int? {
        switch self {
        case .untyped: text.flatMap { Int($0) }
        case .word(let word): Int(word)
        case .string, .list: nil
        }
    }
}
