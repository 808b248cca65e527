/// A change of the user's configuration, which `promoctl setup` passes to `promod configure` as one line of JSON on standard input,
/// because an address or a proxy may hold a password, and everybody can see the arguments of a process.
package struct ConfigurationChange: Equatable, Sendable {
    /// What to do.
    package enum Action: String, CaseIterable, Sendable {
        /// Check the catalog at ``url``, and write its address.
        case set
        /// Write that the sample is the default catalog.
        case sample
        /// Remove the catalog's address, and what was written with it.
        case remove
        /// Hide a named catalog that a package configures.
        case hide
        case unhide
        /// Exchange the file and what it was before the last change.
        case undo
        /// Change nothing, and report the text of the sample.
        case printSample = "print-sample"
    }

    package var action: Action
    /// The path of the configuration file; nil for the one that promod's environment names.
    package var file: String?
    /// The name of the catalog; nil for the default one.
    package var catalog: String?
    /// The address, if the action is ``Action/set``; what follows is written with it.
    package var url: String?
    package var caFile: String?
    package var publicKey: String?
    package var proxy: String?

    /// A change of the default catalog.
    package init(_ action: Action) {
        self.action = action
    }

    /// Writes the JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("action", action.rawValue)
            for (name, value) in Self.members { writer.member(name, self[keyPath: value]) }
        }
    }

    /// Reads what ``write(to:)`` wrote.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(try json.word("action"))
        for (name, value) in Self.members { self[keyPath: value] = try json.optionalString(name) }
    }

    private static var members: [(String, WritableKeyPath<Self, String?>)] {
        [
            ("file", \.file), ("catalog", \.catalog), ("url", \.url), ("caFile", \.caFile),
            ("publicKey", \.publicKey), ("proxy", \.proxy),
        ]
    }
}
