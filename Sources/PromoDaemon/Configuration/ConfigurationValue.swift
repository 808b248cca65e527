import PromoWire

/// A value in a layer of the configuration.
enum ConfigurationValue: Equatable, Sendable {
    /// A value from the environment or the command line, where everything is text.
    case untyped(OutsideText)
    case string(OutsideText)
    case integer(Int)
    case boolean(Bool)
    /// A list of strings.
    case list([OutsideText])
    /// An empty table.
    case table
    /// A value of a type that no key takes.
    case other

    /// The longest path that the kernel takes, in bytes.
    private static let maximumPath = 4095

    /// The value if it is a string in ASCII and no longer than any key takes.
    var text: String? {
        switch self {
        case .untyped(let text), .string(let text): text.ascii(upTo: HTTPSURL.maximumLength)
        case .integer, .boolean, .list, .table, .other: nil
        }
    }

    /// The value as an absolute path.
    var path: String? {
        switch self {
        case .untyped(let text), .string(let text):
            guard text.bytes.first == UInt8(ascii: "/"), text.bytes.count <= Self.maximumPath, !text.bytes.contains(0)
            else { return nil }
            return String(decoding: text.bytes, as: UTF8.self)
        case .integer, .boolean, .list, .table, .other: return nil
        }
    }

    /// The strings of a list, or a single string. In the environment and on the command line, commas separate them.
    var texts: [OutsideText]? {
        switch self {
        case .untyped(let text): text.bytes.split(separator: UInt8(ascii: ",")).map { OutsideText($0) }
        case .string(let text): [text]
        case .list(let texts): texts
        case .integer, .boolean, .table, .other: nil
        }
    }

    var boolean: Bool? {
        switch self {
        case .untyped: text.flatMap(Bool.init)
        case .boolean(let boolean): boolean
        case .string, .integer, .list, .table, .other: nil
        }
    }

    var integer: Int? {
        switch self {
        case .untyped: text.flatMap { Int($0) }
        case .integer(let number): number
        case .string, .boolean, .list, .table, .other: nil
        }
    }
}
