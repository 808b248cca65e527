package import PromoWire

/// Something that happened and that clients can follow. Impressions and taps live in memory alone.
package enum Event: Equatable, Sendable {
    case impression(app: String, host: String?)
    case tap(app: String, host: String?)
    /// Another catalog is served, or what is served stands elsewhere in its life.
    case catalog(state: Freshness.State, generation: String?)

    /// Which kind it is.
    package var kind: EventKind {
        switch self {
        case .impression: .impression
        case .tap: .tap
        case .catalog: .catalog
        }
    }

    /// The app in which it happened, where that was said.
    var host: String? {
        switch self {
        case .impression(_, let host), .tap(_, let host): host
        case .catalog: nil
        }
    }

    /// The event as a line of the protocol, with its LF.
    func line(seq: Int, at time: Timestamp) -> [UInt8] {
        Self.line { writer in
            writer.member("seq", seq)
            writer.member("at", time)
            writer.member("event", kind.rawValue)
            switch self {
            case .impression(let app, let host), .tap(let app, let host):
                writer.member("app", app)
                writer.member("host", host)
            case .catalog(let state, let generation):
                writer.member("state", state.rawValue)
                writer.member("generation", generation)
            }
        }
    }

    /// The last line that a subscriber gets who does not keep up.
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
