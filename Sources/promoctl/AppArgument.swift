import ArgumentParser
import CrossPromoKit
import PromoWire

/// The id of an app in the catalog; shells complete it with the ids that promod serves.
struct AppArgument: ParsableArguments {
    @Argument(help: "The app's id.", completion: .appIDs)
    var app: String

    /// The ids in the catalog; empty if promod does not answer within 500 ms.
    static func known(to client: DaemonClient, in catalog: CatalogReference?) -> [String] {
        let parameters = ListParameters(language: .all, hidden: .with)
        guard let json = try? client.ask(.list(parameters), of: catalog, timeout: .milliseconds(500)),
            let list = try? ListResult(json)
        else { return [] }
        return list.apps.map(\.id)
    }
}

/// The app that shows the others.
struct HostOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app that shows the others; it is left out of lists and named in events.", valueName: "id"),
        completion: .appIDs)
    var host: String?

    func validate() throws {
        // An unset variable in a script must not mean "no host".
        guard host != "" else { throw ValidationError("--host is empty; leave it out for no host.") }
    }
}
