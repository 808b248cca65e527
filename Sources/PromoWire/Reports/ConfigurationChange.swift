/// A change of the user's configuration, which `promoctl setup` passes to `promod configure` as one line of JSON on standard input: an
/// address or a proxy may contain a password, and every user can see the arguments of a process.
package struct ConfigurationChange: JSONObject, Equatable {
    /// What to do.
    package enum Action: String, Word {
        /// Check the catalog at ``url``, and configure its address.
        case set
        /// Configure the sample as the default catalog.
        case sample
        /// Remove the catalog's address, and the keys that were written with it.
        case remove
        /// Hide a named catalog that a package configures.
        case hide
        case unhide
        /// Exchange the file with its previous version.
        case undo
        /// Change nothing, and report the text of the sample.
        case printSample = "print-sample"
    }

    package var action = Action.set
    package var file: String?
    package var catalog: String?
    package var url: String?
    package var caFile: String?
    package var proxy: String?

    package mutating func visitMembers(_ member: inout MemberVisitor) {
        member("action", &action, "what to do")
        member("file", &file, "the configuration file; null for the one that promod's environment names")
        member("catalog", &catalog, "the name of the catalog; null for the default one")
        member("url", &url, "the address, if the action is set; what follows is written with it")
        member("caFile", &caFile, "the file of certificates")
        member("proxy", &proxy, "the proxy")
    }

    package init() {}

    /// Creates a change of the default catalog.
    package init(_ action: Action) {
        self.action = action
    }
}
