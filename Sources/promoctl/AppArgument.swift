import ArgumentParser
import CrossPromoKit
import PromoWire

/// An app that the catalog knows, completed with the ids that promod has.
struct AppArgument: ParsableArguments {
    @Argument(help: "The app's id.", completion: .custom { _, _, _ in AppArgument.known() })
    var app: String

    /// The ids in the catalog; none where promod cannot be asked quickly.
    static func known(to client: DaemonClient = DaemonClient()) -> [String] {
        guard let json = try? client.ask(.list(ListParameters(language: .all)), timeout: .milliseconds(500)),
            let list = try? ListResult(json)
        else { return [] }
        return list.apps.map(\.id)
    }
}

/// The app that asks.
struct HostOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The app that shows the others: left out of a list, named in an event.", valueName: "id"),
        completion: .custom { _, _, _ in AppArgument.known() })
    var host: String?

    func validate() throws {
        // A script's unset variable must not pass for "no host".
        guard host != "" else { throw ValidationError("--host is empty; leave it out for no host.") }
    }
}
