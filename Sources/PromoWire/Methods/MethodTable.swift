/// The table of the protocol's methods, from which requests are dispatched and `rpc.discover` is generated.
package enum MethodTable {
    /// All methods, in the order in which they are listed.
    package static let all: [any MethodDescription] = [
        list, icon, tap, impression, launch, reviewEligible, reviewRequest, reviewReturn, reviewReset, hide, show,
        refresh, clear, subscribe, status, reload, diagnose, discover,
    ]

    /// The method with a name; nil if there is none.
    package static func method(named name: String) -> (any MethodDescription)? {
        all.first { $0.name == name }
    }

    /// The method that a value names; nil if there is none.
    static func method(named value: JSONValue) -> (any MethodDescription)? {
        all.first { value.isString($0.name) }
    }

    static let icon = MethodSignature(
        "icon", "Returns the picture of an app, for a client that cannot read the file that list names.",
        [.knownApp(\.self)], from: "", result: IconResult.schema, errors: [.unknownApp, .noCatalog], isRepeatable: true
    ) { .command(.icon(app: $0)) }

    static let hide = MethodSignature(
        "hide", "Leaves an app out of this person's lists from now on.", [.knownApp(\.self)], from: "",
        result: VisibilityResult.schema, errors: [.unknownApp, .noCatalog, .notStored], isRepeatable: true
    ) { .command(.hide(app: $0)) }

    static let show = MethodSignature(
        "show", "Puts a hidden app back in this person's lists.", [.app(\.self)], from: "",
        result: VisibilityResult.schema,
        errors: [.notStored], isRepeatable: true
    ) { .command(.show(app: $0)) }

    static let clear = MethodSignature(
        "clear", "Deletes the cached catalog and fetches it again as soon as that is allowed.", [], from: (),
        result: ClearResult.schema, errors: [.notStored], waitingGroup: .command
    ) { .command(.clear) }

    static let status: MethodSignature<Void> = MethodSignature(
        "status", "Reports the state of the daemon.", [], from: (), catalog: nil, result: StatusResult.schema,
        isRepeatable: true
    ) { .status }

    static let reload = MethodSignature(
        "reload", "Reads the configuration again.", [], from: (), catalog: nil, result: ReloadResult.schema,
        errors: [.badConfiguration], waitingGroup: .reload
    ) { .command(.reload) }

    static let discover = MethodSignature(
        "rpc.discover", "Returns this document.", [], from: (), catalog: nil, result: OpenRPCDocument.schema,
        isRepeatable: true
    ) { .discover }

    static let diagnose = MethodSignature(
        "diagnose", "Checks what promod itself can use: its directories, its sandbox and certificates.",
        [
            Parameter(
                "caFile", .path(upTo: Command.maximumPath), \.self,
                "the only file to check, whether promod may read it", meantBy: ["file", "path", "ca_file", "ca-file"])
        ], from: OutsideText?.none, catalog: nil, result: DiagnoseResult.schema, isRepeatable: true,
        waitingGroup: .command
    ) { .command(.diagnose(caFile: $0)) }
}

extension Command {
    /// The maximum length of the path of `diagnose`, in bytes.
    package static let maximumPath = 4096
}
