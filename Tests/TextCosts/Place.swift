import PromoWire

/// A place in which text from outside arrives, and what reads it.
struct Place: CustomStringConvertible {
    let description: String
    /// The size of the longest text there, in bytes.
    let maximum: Int
    /// Puts a text there.
    let make: (_ text: [UInt8]) -> [UInt8]
    let read: (_ bytes: [UInt8]) -> Void

    /// The places of a JSON text: each string, each member's name, and an unknown member in each object.
    static func all(
        in sample: [UInt8], _ name: String, maximum: Int, read: @escaping (_ bytes: [UInt8]) -> Void
    ) throws -> [Place] {
        try spots(of: JSONDocument(sample, maximumDepth: 64).root).map { spot in
            Place(
                description: "\(name) at \(spot.range.lowerBound): \(spot.what)", maximum: maximum,
                make: { text in
                    var bytes = sample
                    let quote = [UInt8(ascii: "\"")]
                    bytes.replaceSubrange(spot.range, with: spot.prefix + quote + text + quote + spot.suffix)
                    return bytes
                }, read: read)
        }
    }

    private struct Spot {
        let what: String
        let range: Range<Int>
        var prefix: [UInt8] = []
        var suffix: [UInt8] = []
    }

    private static func spots(of value: JSONValue) -> [Spot] {
        switch value.kind {
        case .string:
            return [Spot(what: "value", range: value.text.indices)]
        case .array:
            return value.elements.flatMap(spots)
        case .object:
            let start = value.offset + 1
            let isEmpty = value.members.first { _ in true } == nil
            let unknown = Spot(
                what: "unknown member", range: start..<start, suffix: Array((isEmpty ? ":0" : ":0,").utf8))
            return [unknown]
                + value.members.flatMap { name, value in
                    [Spot(what: "name \(name.outsideText ?? "")", range: name.text.indices)] + spots(of: value)
                }
        case .number, .true, .false, .null:
            return []
        }
    }
}
