/// The table of the protocol's methods, from which requests are dispatched and `rpc.discover` is generated.
package enum MethodTable {
    /// All methods, in the order in which they are listed.
    package static let all: [MethodDescription] = [
        list.description, icon.description, tap.description, impression.description, launch.description,
        reviewEligible.description, reviewRequest.description, reviewReturn.description, reviewReset.description,
        hide.description, show.description, refresh.description, clear.description, subscribe.description,
        status.description, reload.description, diagnose.description, discover.description,
    ]

    /// The method with a name; nil if there is none.
    package static func method(named name: String) -> MethodDescription? {
        all.first { $0.name == name }
    }

    /// The method whose name a value is; nil if there is none.
    static func method(named value: JSONValue) -> MethodDescription? {
        all.first { value.isString($0.name) }
    }

    static let icon = MethodSignature(
        "icon", "Returns the picture of an app, for a client that cannot read the file that list names.",
        [.knownApp(\.self)], from: "", result: .icon, errors: [.unknownApp, .noCatalog], isRepeatable: true
    ) { .command(.icon(app: $0)) }

    static let hide = MethodSignature(
        "hide", "Leaves an app out of this person's lists from now on.", [.knownApp(\.self)], from: "",
        result: .visibility, errors: [.unknownApp, .noCatalog, .notStored], isRepeatable: true
    ) { .command(.hide(app: $0)) }

    static let show = MethodSignature(
        "show", "Puts a hidden app back in this person's lists.", [.app(\.self)], from: "", result: .visibility,
        errors: [.notStored], isRepeatable: true
    ) { .command(.show(app: $0)) }

    static let clear = MethodSignature(
        "clear", "Deletes the cached catalog and fetches it again as soon as that is allowed.", [], from: (),
        result: .clear, errors: [.notStored], waitingGroup: .command
    ) { .command(.clear) }

    static let status: MethodSignature<Void> = MethodSignature(
        "status", "Reports the state of the daemon.", [], from: (), catalog: nil, result: .status, isRepeatable: true
    ) { .status }

    static let reload = MethodSignature(
        "reload", "Reads the configuration again.", [], from: (), catalog: nil, result: .reload,
        errors: [.badConfiguration], waitingGroup: .reload
    ) { .command(.reload) }

    static let discover = MethodSignature(
        "rpc.discover", "Returns this document.", [], from: (), catalog: nil, result: .discover, isRepeatable: true
    ) { .discover }

    static let diagnose = MethodSignature(
        "diagnose", "Checks what promod itself can use: its directories, its sandbox and certificates.",
        [
            Parameter(
                "caFile", .path(upTo: Command.maximumPath), \.self,
                "the only file to check, whether promod may read it", meantBy: ["file", "path", "ca_file", "ca-file"])
        ], from: OutsideText?.none, catalog: nil, result: .diagnose, isRepeatable: true, waitingGroup: .command
    ) { .command(.diagnose(caFile: $0)) }
}

extension Command {
    /// The length of the longest path that `diagnose` takes, in bytes.
    package static let maximumPath = 4096
}
