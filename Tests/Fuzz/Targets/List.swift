import PromoCore
import PromoWire

extension FuzzTarget {
    /// The reader of common lists agrees with the general one, templates are equal only for equal requests, and a kept reply is the
    /// one that would be made.
    static let list = FuzzTarget(name: "list") { input in
        var kept = KeptReplies()
        for line in input.split(separator: 0x0A) {
            let whole = Array(line) + [0x0A]
            try checkList(whole, Array(line))
            try checkTemplate(whole, Array(line))
            try checkKept(&kept, whole, Array(line))
        }
    }

    private static func checkList(_ bytes: [UInt8], _ line: [UInt8]) throws(Violation) {
        guard let list = CommonList(bytes.span) else { return }
        let id = list.id.map { Array(bytes[$0]) } ?? RequestID.null.json
        let expected = Outcome.request(.list(ListParameters(list, bytes.span)), id: id)
        try require(list.length == bytes.count, "a common list has \(list.length) of \(bytes.count) bytes")
        try require(Outcome.all(of: line) == [expected], "the general reader does not read \(expected)")
    }

    private static func checkTemplate(_ bytes: [UInt8], _ line: [UInt8]) throws(Violation) {
        guard let template = LineTemplate(bytes.span), let id = template.id else { return }
        // Only replies to requests are kept.
        guard let outcomes = Outcome.all(of: line), case .request? = outcomes.first else { return }
        let other = line[..<id.lowerBound] + [0x37] + line[id.upperBound...]
        let others = Outcome.all(of: Array(other))
        try require(
            outcomes.map(\.anonymous) == others?.map(\.anonymous),
            "\(outcomes) became \(others ?? []) with another id")
    }

    private static func checkKept(
        _ kept: inout KeptReplies, _ bytes: [UInt8], _ line: [UInt8]
    ) throws(Violation) {
        let now = Timestamp(milliseconds: 0)
        let reply = kept.reply(to: bytes.span, serial: 1, now: now) { parameters in
            (Array("\(parameters)".utf8), now..<now + .seconds(1))
        }
        guard let reply else { return }
        let id = reply.id.map { Array(bytes[$0]) } ?? RequestID.null.json
        guard case .request(.list(let parameters), id)? = Outcome.all(of: line)?.first else {
            throw Violation(description: "a line that is no list was answered from the kept replies")
        }
        try require(
            reply.rest == Array("\(parameters)".utf8), "the kept reply is to other parameters than \(parameters)")
    }
}
