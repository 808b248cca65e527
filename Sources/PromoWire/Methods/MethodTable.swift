/// The table of the protocol's methods, from which requests are dispatched and `rpc.discover` is generated.
package enum MethodTable {
    /// All methods, in the order in which they are listed.
    package static let all: [MethodDescription] = [
        list, icon, tap, impression, launch, reviewEligible, reviewRequest, reviewReset, refresh, clear, subscribe,
        status, reload, diagnose, discover,
    ]

    /// The method with a name; nil if there is none.
    package static func method(named name: String) -> MethodDescription? {
        all.first { $0.name == name }
    }

    /// The method that a value names; nil if there is none.
    static func method(named value: JSONValue) -> MethodDescription? {
        all.first { value.isString($0.name) }
    }

    static let icon = MethodDescription(
        "icon", "Returns the picture of an app, for a client that cannot read the file that list names.",
        .command(.icon(app: "")), result: IconResult.schema, errors: [.unknownApp, .noCatalog], isRepeatable: true)

    static let clear = MethodDescription(
        "clear", "Deletes the cached catalog and fetches it again as soon as that is allowed.", .command(.clear()),
        result: ClearResult.schema, errors: [.notStored])

    static let status = MethodDescription(
        "status", "Reports the state of the daemon.", .status, catalog: nil, result: StatusResult.schema,
        isRepeatable: true)

    static let reload = MethodDescription(
        "reload", "Reads the configuration again.", .command(.reload), catalog: nil, result: ReloadResult.schema,
        errors: [.badConfiguration])

    static let discover = MethodDescription(
        "rpc.discover", "Returns this document.", .discover, catalog: nil, result: OpenRPCDocument.schema,
        isRepeatable: true)

    static let diagnose = MethodDescription(
        "diagnose", "Checks what promod itself can use: its directories, its sandbox and certificates.",
        .command(.diagnose), catalog: nil, result: DiagnoseResult.schema, isRepeatable: true)
}
