package import PromoWire

/// An event as a subscriber receives it.
package struct DaemonEvent: Sendable {
    package enum Kind: Equatable, Sendable {
        case impression(app: String, host: String?)
        case tap(app: String, host: String?)
        case catalog(state: Freshness.State, generation: String?)
        case icons(stored: Int)
    }

    package let seq: Int
    package let at: Timestamp
    /// The protocol's word for the kind.
    package let word: EventKind
    package let kind: Kind
    /// The name of the catalog; nil if promod does not say it.
    package let catalog: String?
    /// Whether it is about an app of the sample.
    package let isSample: Bool
    /// The `params` of the event, with members that this version does not know.
    package let json: JSONValue

    /// Reads the `params` of an event line.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.json = json
        seq = try json.read("seq")
        at = try json.read("at")
        catalog = try json.read("catalog")
        isSample = json["source"]?.isString(Freshness.Source.sample.rawValue) == true
        word = try json.read("event")
        switch word {
        case .impression: kind = .impression(app: try json.read("app"), host: try json.read("host"))
        case .tap: kind = .tap(app: try json.read("app"), host: try json.read("host"))
        case .catalog:
            kind = .catalog(state: try json.read("state"), generation: try json.read("generation"))
        case .icons: kind = .icons(stored: try json.read("stored"))
        }
    }
}
