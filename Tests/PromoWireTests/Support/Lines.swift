import PromoWire
import Testing

/// A call that is answered with an error, in a form that can be compared.
struct Rejection: Equatable {
    var reason: ErrorReason
    var message: String
    var id: String
}

extension Call {
    /// The request; nil if the call is not valid.
    var request: Request? {
        if case .request(let request, _) = self { request } else { nil }
    }

    /// The id of the reply; nil if there is no reply.
    var replyID: String? {
        if case .request(_, let id) = self {
            id.map { String(decoding: $0.json, as: UTF8.self) }
        } else {
            rejection?.id
        }
    }

    /// The error of the reply; nil if there is none.
    var rejection: Rejection? {
        guard case .rejected(let error, let id) = self else { return nil }
        return Rejection(reason: error.reason, message: error.message, id: String(decoding: id.json, as: UTF8.self))
    }
}

/// The call of a line.
func call(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Call {
    try #require(Call(line: Array(line.utf8)), "\(line)", sourceLocation: sourceLocation)
}

/// The request of a line, which must be valid.
func request(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Request {
    let call = try call(line, sourceLocation: sourceLocation)
    return try #require(call.request, "\(line): \(call)", sourceLocation: sourceLocation)
}

/// The error with which a line is answered.
func rejection(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Rejection {
    let call = try call(line, sourceLocation: sourceLocation)
    return try #require(call.rejection, "\(line): \(call)", sourceLocation: sourceLocation)
}
