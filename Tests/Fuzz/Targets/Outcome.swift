import PromoWire

/// The meaning of a line, without the message of an error, which is for people.
enum Outcome: Equatable {
    case request(Request, id: [UInt8]?)
    case rejected(ErrorReason, id: [UInt8])

    /// Reads a line; nil if there is nothing to answer.
    init?(line: [UInt8]) {
        switch Call(line: line) {
        case .request(let request, let id): self = .request(request, id: id?.json)
        case .rejected(let error, let id): self = .rejected(error.reason, id: id.json)
        case nil: return nil
        }
    }
}
