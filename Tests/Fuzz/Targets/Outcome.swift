import PromoWire

/// The meaning of a call, without the message of an error, which is for people.
enum Outcome: Equatable {
    case request(Request, id: [UInt8]?)
    case rejected(ErrorReason, id: [UInt8])
    case dropped

    init(_ call: Call) {
        switch call {
        case .request(let request, let id): self = .request(request, id: id?.json)
        case .rejected(let error, let id): self = .rejected(error.reason, id: id.json)
        case .dropped: self = .dropped
        }
    }

    /// The meanings of a line's calls; nil for a blank line.
    static func all(of line: [UInt8]) -> [Outcome]? {
        switch Message(line: line) {
        case .single(let call): [Outcome(call)]
        case .batch(let calls): calls.map(Outcome.init)
        case nil: nil
        }
    }
}
