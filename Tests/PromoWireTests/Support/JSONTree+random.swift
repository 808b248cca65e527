import PromoTestSupport

extension JSONTree {
    /// A random tree that is nested at most `depth` deep.
    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: .string(.randomText(using: &generator))
        case 1: .number(randomNumber(using: &generator))
        case 2: .boolean(.random(using: &generator))
        case 3: .null
        case 4: .string("")
        case 5: .array(randomElements(depth: depth - 1, using: &generator))
        default: .object(randomMembers(depth: depth - 1, using: &generator))
        }
    }

    private static func randomElements(depth: Int, using generator: inout SeededGenerator) -> [JSONTree] {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in random(depth: depth, using: &generator) }
    }

    /// Often more than eight members, since a reader may look for duplicates in another way among so many.
    private static func randomMembers(depth: Int, using generator: inout SeededGenerator) -> [Member] {
        (0..<Int.random(in: 0...12, using: &generator)).map { index in
            Member(name: "member\(index)", value: random(depth: depth, using: &generator))
        }
    }

    private static func randomNumber(using generator: inout SeededGenerator) -> String {
        let integer = Int.random(in: .min ... .max, using: &generator)
        return ["0", "-0", "\(integer)", "\(integer % 100)", "\(integer).50", "\(integer % 10)e-7", "0.1E+22"]
            .randomElement(using: &generator) ?? "0"
    }
}

extension String {
    /// Random text, with many scalars that are special in a JSON string, and scalars of every length in UTF-8.
    static func randomText(using generator: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x2F...0x2F, 0x80...0x7FF, 0x800...0xD7FF,
            0xE000...0xFFFF, 0x2028...0x2029, 0x1_0000...0x10_FFFF,
        ]
        var scalars = UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            let range = ranges.randomElement(using: &generator) ?? 0x20...0x7F
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
