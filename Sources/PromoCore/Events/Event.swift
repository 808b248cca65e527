package import PromoWire

/// An event that clients can subscribe to. Impressions and taps are kept only in memory.
package enum Event: Equatable, Sendable {
    case impression(app: String, host: String?)
    case tap(app: String, host: String?)
    /// Another catalog is served, the state of the served catalog has changed, or one is held back.
    case catalog(state: Freshness.State, generation: String?, heldBack: HeldBackStatus? = nil)

    /// The kind of the event.
    package var kind: EventKind {
        switch self {
        case .impression: .impression
        case .tap: .tap
        case .catalog: .catalog
        }
    }

    /// The id of the app that showed the apps; nil if the client did not name it.
    var host: String? {
        switch self {
        case .impression(_, let host), .tap(_, let host): host
        case .catalog: nil
        }
    }

    /// The event as a line of the protocol, with LF.
    func line(seq: Int, at time: Timestamp) -> [UInt8] {
        Self.line { writer in
            writer.member("seq", seq)
            writer.member("at", time)
            writer.member("event", kind.rawValue)
            switch self {
            case .impression(let app, let host), .tap(let app, let host):
                writer.member("app", app)
                writer.member("host", host)
            case .catalog(let state, let generation, let heldBack):
                writer.member("state", state.rawValue)
                writer.member("generation", generation)
                if let heldBack { writer.member("heldBack", heldBack) }
            }
        }
    }

    /// The last line to a subscriber that has fallen too far behind, with LF.
    package static func laggedLine(lastSent seq: Int, missed: Int) -> [UInt8] {
        line { writer in
            writer.member("seq", seq)
            writer.member("event", "lagged")
            writer.member("missed", missed)
        }
    }

    private static func line(_ parameters: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.append(#""jsonrpc":"2.0","method":"event","params":"#)
            writer.object(parameters)
        }
        writer.append("\n")
        return writer.bytes
    }
}
