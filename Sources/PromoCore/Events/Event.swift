package import PromoWire

/// An event that clients can subscribe to. Impressions and taps are kept only in memory.
package enum Event: Equatable, Sendable {
    case impression(
        app: String, host: String?, catalog: String = CatalogReference.defaultName, isSample: Bool = false)
    case tap(app: String, host: String?, catalog: String = CatalogReference.defaultName, isSample: Bool = false)
    /// A catalog's generation or state has changed, or why its last fetch failed, if it did.
    case catalog(
        state: Freshness.State, generation: String?, catalog: String = CatalogReference.defaultName)
    /// Pictures of a catalog were received.
    case icons(stored: Int, catalog: String = CatalogReference.defaultName)

    /// The kind of the event.
    package var kind: EventKind {
        switch self {
        case .impression: .impression
        case .tap: .tap
        case .catalog: .catalog
        case .icons: .icons
        }
    }

    /// The id of the host app; nil if the client did not name it.
    var host: String? {
        switch self {
        case .impression(_, let host, _, _), .tap(_, let host, _, _): host
        case .catalog, .icons: nil
        }
    }

    /// The name of the catalog.
    var catalog: String {
        switch self {
        case .impression(_, _, let catalog, _), .tap(_, _, let catalog, _), .catalog(_, _, let catalog),
            .icons(_, let catalog):
            catalog
        }
    }

    /// The event as a line of the protocol, with LF.
    func line(seq: Int, at time: Timestamp) -> [UInt8] {
        Self.line { writer in
            writer.member("seq", seq)
            writer.member("at", time)
            writer.member("event", kind.rawValue)
            writer.member("catalog", catalog)
            switch self {
            case .impression(let app, let host, _, let isSample), .tap(let app, let host, _, let isSample):
                writer.member("app", app)
                writer.member("host", host)
                if isSample { writer.member("source", Freshness.Source.sample.rawValue) }
            case .catalog(let state, let generation, _):
                writer.member("state", state.rawValue)
                writer.member("generation", generation)
            case .icons(let stored, _):
                writer.member("stored", stored)
            }
        }
    }

    /// The last line to a subscriber that has fallen too far behind, with LF.
    /// - Parameter seq: the number up to which all events that it selected were sent.
    package static func laggedLine(sent seq: Int) -> [UInt8] {
        line { writer in
            writer.member("seq", seq)
            writer.member("event", "lagged")
        }
    }

    private static func line(_ parameters: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.line { writer in
            writer.append(#""jsonrpc":"2.0","method":"event","params":"#)
            writer.object(parameters)
        }
    }
}
