import PromoCore
import PromoWire

extension FuzzTarget {
    /// A line is answered from the kept replies only if it is a list, and then as if the reply were made for it.
    static let list = FuzzTarget(name: "list") { input in
        var kept = KeptReplies()
        for line in input.split(separator: 0x0A) {
            guard let id = try checkKept(&kept, Array(line)) else { continue }
            // With another id, the reply is the one that was kept.
            _ = try checkKept(&kept, Array(line.prefix(id.lowerBound)) + [0x37] + line.dropFirst(id.upperBound))
        }
    }

    /// - Returns: the range of the id, if the line was answered.
    private static func checkKept(
        _ kept: inout KeptReplies, _ line: [UInt8]
    ) throws(Violation) -> Range<Int>? {
        let bytes = line + [0x0A]
        let now = Timestamp(milliseconds: 0)
        let reply = kept.reply(to: bytes.span, serial: 1, now: now) { parameters, catalog in
            (Array("\(parameters) \(catalog, default: "")".utf8), now..<now + .seconds(1))
        }
        guard let reply else { return nil }
        let id = reply.id.map { Array(bytes[$0]) } ?? RequestID.null.json
        guard case .request(let request, id)? = Outcome.all(of: line)?.first,
            case .list(let parameters) = request.method
        else {
            throw Violation(description: "a line that is no list was answered from the kept replies")
        }
        try require(
            reply.rest == Array("\(parameters) \(request.catalog, default: "")".utf8),
            "the kept reply is to other parameters than \(parameters)")
        return reply.id
    }
}
