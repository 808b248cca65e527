import PromoTestSupport
import PromoWire
import Testing

/// The quick reader of common lists, compared with the general one.
struct CommonListTests {
    private func common(_ line: String) -> (list: CommonList, id: String?, host: String?, language: String?)? {
        let bytes = Array((line + "\n").utf8)
        guard let list = CommonList(bytes.span), list.length == bytes.count else { return nil }
        func text(_ range: Range<Int>?) -> String? {
            range.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        return (list, text(list.id), text(list.host), text(list.language))
    }

    /// The list and the id that the general reader reads from a line; nil if it is not a list.
    private func general(_ line: String) -> (parameters: ListParameters, id: String?)? {
        guard case .single(.request(.list(let parameters), let id)) = Message(line: Array(line.utf8)) else {
            return nil
        }
        return (parameters, id.map { String(decoding: $0.json, as: UTF8.self) })
    }

    /// Checks that a line that the quick reader accepts means the same to the general one.
    private func expectAgreement(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let common = common(line) else { return }
        let general = general(line)
        #expect(general?.parameters.host == common.host, "\(line)", sourceLocation: sourceLocation)
        #expect(
            general?.parameters.language == common.language.map { TaglineLanguage(OutsideText($0)) }, "\(line)",
            sourceLocation: sourceLocation)
        #expect(general?.parameters.limit == common.list.limit, "\(line)", sourceLocation: sourceLocation)
        #expect(general?.parameters.wait == false, "\(line)", sourceLocation: sourceLocation)
        #expect(general?.id == common.id ?? "null", "\(line)", sourceLocation: sourceLocation)
    }

    private static let lines = [
        #"{"method":"list"}"#, #"{"method":"list","host":"finebill","language":"ko"}"#,
        #"{"jsonrpc":"2.0","id":17,"method":"list","params":{"host":"finebill","language":"ko-KR","limit":3}}"#,
        #"{"jsonrpc":"2.0","id":"a-7","method":"list"}"#, #"{"id":0,"method":"list","params":{"language":"*"}}"#,
        #"{"params":{"limit":999999999},"method":"list","id":1,"jsonrpc":"2.0"}"#,
        #"{"jsonrpc": "2.0", "id": 1, "method": "list", "params": {"host": "x", "limit": 3}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"list","params":{}}"#, #"{ "method":"list"}"#,
    ]

    @Test(arguments: lines)
    func whatClientsWriteIsCommon(line: String) {
        #expect(common(line) != nil)
        #expect(general(line) != nil)
        expectAgreement(line)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"list"}"#, #"{"jsonrpc":"2.0","id":1,"method":"list","host":"x"}"#,
        #"{"host":"x","jsonrpc":"2.0","id":1,"method":"list"}"#, #"{"method":"list","params":{},"host":"x"}"#,
        #"{"method":"list","host":"x","params":{"limit":1}}"#, #"{"method":"list","method":"list"}"#,
        #"{"method":"list","host":"x","host":"x"}"#, #"{"method":"list","host":"X"}"#, #"{"method":"list","host":""}"#,
        #"{"method":"list","limit":0}"#, #"{"method":"list","limit":01}"#, #"{"method":"list","id":01}"#,
        #"{"method":"list","id":-1}"#, #"{"method":"list","id":1234567890"x"}"#, #"{"method":"list","id":1.0}"#,
        #"{"jsonrpc":"2.0","method":"list","params":{"host":"a","id":1}}"#, #"{"method":"list","params":{"id":1}}"#,
        #"{"method":"list","id":null}"#,
        #"{"method":"list","wait":true}"#, #"{"method":"tap","app":"x"}"#, #"{"method":"list"}x"#,
        #"{"method":"list"},"#, #"{"method":"list",}"#, #"{"method":"l\u0069st"}"#, #"{  "method":"list"}"#,
        #"{"method" :"list"}"#,
        #"[{"method":"list"}]"#, #"{"jsonrpc":"1.0","id":1,"method":"list"}"#, "{}", "{", "", #"{"method":"list""#,
    ])
    func otherLinesAreLeftToTheGeneralReader(line: String) {
        #expect(common(line) == nil)
    }

    @Test(arguments: 1...20)
    func onMutatedLinesBothAgree(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = Self.lines.map { Array($0.utf8) }
        let alphabet = Array(#"{}[]":,\0123abcxyz- .e"#.utf8) + [0x00, 0x1F, 0x7F, 0xC3, 0xA9]
        for _ in 0..<5000 {
            var line = pieces.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<max(line.count, 1), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !line.isEmpty: line.remove(at: place)
                case 1: line.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                case 2 where !line.isEmpty: line[place] = alphabet.randomElement(using: &generator) ?? 0
                default:
                    let other = pieces.randomElement(using: &generator) ?? []
                    let start = Int.random(in: 0..<other.count, using: &generator)
                    line.insert(contentsOf: other[start..<min(start + 12, other.count)], at: place)
                }
            }
            // The quick reader accepts only ASCII, so it must refuse invalid UTF-8.
            guard let text = String(validating: line, as: UTF8.self) else {
                line.append(0x0A)
                let list = CommonList(line.span)
                #expect(list == nil)
                continue
            }
            expectAgreement(text)
        }
    }
}
