import ArgumentParser

/// The id of an app in the catalog; shells complete it with the ids that promod serves.
struct AppArgument: ParsableArguments {
    @Argument(help: "The app's id.", completion: .appIDs)
    var app: String
}

/// The app that shows the others.
struct HostOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app that shows the others.", valueName: "id"),
        completion: .appIDs)
    var host: String?

    func validate() throws {
        // An unset variable in a script must not mean "no host".
        guard host != "" else { throw ValidationError("--host is empty; leave it out for no host.") }
    }
}
