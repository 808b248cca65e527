import PromoCore
import PromoTestSupport
import PromoWire

extension FuzzTarget {
    /// A line is answered from the kept replies only if it is a list, and then as if the reply were made for it.
    static let list = FuzzTarget(name: "list") { input in
        var kept = KeptReplies()
        for line in input.split(separator: 0x0A) {
            guard let id = try checkKept(&kept, Array(line)) else { continue }
            // With another id, the reply is the one that was kept.
            for place in line.indices where line[place...].starts(with: id) {
                _ = try checkKept(&kept, line[..<place] + [0x37] + line[place...].dropFirst(id.count))
            }
        }
    }

    /// - Returns: the id, if the line was answered.
    private static func checkKept(_ kept: inout KeptReplies, _ line: [UInt8]) throws(Violation) -> [UInt8]? {
        let bytes = line + [0x0A]
        var output = OutputQueue()
        let length = kept.answer(bytes.span, output: &output) { parameters, catalog in
            Array("\(parameters) \(catalog, default: "")".utf8)
        }
        guard length > 0 else { return nil }
        guard case .request(let request, let given)? = Outcome(line: line),
            case .list(let parameters) = request.method
        else {
            throw Violation(description: "a line that is no list was answered from the kept replies")
        }
        let id = given ?? RequestID.null.json
        let rest = Array("\(parameters) \(request.catalog, default: "")".utf8)
        try require(
            output.text == Array(#"{"jsonrpc":"2.0","id":"#.utf8) + id + rest,
            "the kept reply is to other parameters or another id than \(parameters)")
        return id
    }
}
