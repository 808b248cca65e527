import PromoWire
import Testing

/// A call that is answered with an error, in a form that compares.
struct Rejection: Equatable {
    var reason: ErrorReason
    var message: String
    var id: String
}

extension Message {
    /// The call of a line that is no batch.
    var single: Call? {
        if case .single(let call) = self { call } else { nil }
    }

    /// The calls of a batch.
    var batch: [Call]? {
        if case .batch(let calls) = self { calls } else { nil }
    }
}

extension Call {
    /// What can be carried out.
    var request: Request? {
        if case .request(let request, _) = self { request } else { nil }
    }

    /// The id of the reply; nil where there is none to be.
    var replyID: String? {
        switch self {
        case .request(_, let id): id.map { String(decoding: $0.json, as: UTF8.self) }
        case .rejected(_, let id): String(decoding: id.json, as: UTF8.self)
        case .dropped: nil
        }
    }

    /// The error that is answered.
    var rejection: Rejection? {
        guard case .rejected(let error, let id) = self else { return nil }
        return Rejection(reason: error.reason, message: error.message, id: String(decoding: id.json, as: UTF8.self))
    }

    /// Why a notification is dropped.
    var dropped: ErrorReason? {
        if case .dropped(let error) = self { error.reason } else { nil }
    }
}

/// The one call of a line.
func call(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Call {
    try #require(Message(line: Array(line.utf8))?.single, "\(line)", sourceLocation: sourceLocation)
}

/// The request of a line that has to work.
func request(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Request {
    let call = try call(line, sourceLocation: sourceLocation)
    return try #require(call.request, "\(line): \(call)", sourceLocation: sourceLocation)
}

/// The error that a line is answered with.
func rejection(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Rejection {
    let call = try call(line, sourceLocation: sourceLocation)
    return try #require(call.rejection, "\(line): \(call)", sourceLocation: sourceLocation)
}
