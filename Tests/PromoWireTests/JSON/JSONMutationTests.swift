import PromoTestSupport
import PromoWire
import Testing

/// Broken and hostile texts are refused or read, and never crash the process.
struct JSONMutationTests {
    private static let seeds = [
        #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"host":"finebill","limit":3,"wait":true}}"#,
        #"[{"method":"tap","app":"bookary"},{"jsonrpc":"2.0","method":"status","id":"\ud83d\ude00"}]"#,
        #"{"method":"impression","apps":["bookary","finepomo"],"host":null,"id":-1.5e+10}"#,
        #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"\u006a":[[[[[[[[]]]]]]]]}"#,
        "{\"apps\":[{\"name\":\"\u{D55C}\u{AE00}\",\"tagline\":{\"en\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}}]}",
        "[0,-0,1e5,0.5,true,false,null,\"\u{1F600}\",\"\\u0000\",{},[]]",
    ]
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "null", "-", "1e", "\u{FEFF}", "\n",
        "\"a\":",
    ]

    private static func mutated(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            let end = min(position + Int.random(in: 0...12, using: &generator), bytes.count)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: position)
            case 1: bytes.removeSubrange(position..<end)
            case 2: bytes.insert(contentsOf: (tokens.randomElement(using: &generator) ?? "").utf8, at: position)
            case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
            case 4: bytes.removeSubrange(position...)
            default: if position < end { bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
            }
        }
        return bytes
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func aMutatedTextIsReadWholeOrRefusedAtOneOfItsBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.mutated(using: &generator)
            if let error = jsonError(bytes) {
                #expect((0...bytes.count).contains(error.offset), "\(error): \(bytes)")
                #expect("\(error)".hasSuffix(" at byte \(error.offset)"))
            } else {
                let tree = JSONTree(try JSONDocument(bytes, maximumDepth: lineDepth).root)
                let again = try JSONDocument(tree.json, maximumDepth: lineDepth)
                #expect(JSONTree(again.root) == tree, "\(bytes)")
            }
        }
    }

    @Test(arguments: 32..<64 as Range<UInt64>)
    func aMutatedLineIsAMessageOrBlank(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let line = Self.mutated(using: &generator)
            let isBlank = line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
            #expect((Message(line: line) == nil) == isBlank, "\(line)")
        }
    }

    @Test(arguments: 64..<72 as Range<UInt64>)
    func randomBytesAreRefusedAtOneOfThem(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let error = jsonError(bytes)
            #expect(error.map { (0...bytes.count).contains($0.offset) } == true, "\(bytes)")
        }
    }

    @Test(arguments: seeds.indices)
    func everyBeginningOfATextIsRefusedAtItsEnd(index: Int) {
        let bytes = Array(Self.seeds[index].utf8)
        #expect(jsonError(bytes) == nil)
        for count in 0..<bytes.count {
            #expect(jsonError(Array(bytes[..<count])) != nil)
        }
    }
}
