extension Request {
    /// The request as a line of the protocol, with LF.
    package var line: [UInt8] {
        Self.line(method: method) { writer in
            writer.object { write(parameters: &$0) }
        }
    }

    /// A line that calls any method, with LF.
    /// - Parameter params: writes the value of `params`.
    package static func line(method: String, params: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", 1)
            writer.member("method", method)
            writer.name("params")
            params(&writer)
        }
        writer.append("\n")
        return writer.bytes
    }

    private func write(parameters writer: inout JSONWriter) {
        switch self {
        case .list(let parameters):
            writer.present("host", parameters.host)
            writer.present("language", parameters.language?.parameter)
            if let limit = parameters.limit { writer.member("limit", limit) }
            if parameters.wait { writer.member("wait", true) }
        case .tap(let parameters):
            writer.member("app", parameters.app)
            writer.present("host", parameters.host)
            writer.present("language", parameters.language?.rawValue)
        case .impression(let parameters):
            writer.member("apps", parameters.apps)
            writer.present("host", parameters.host)
        case .launch(let parameters), .reviewReset(let parameters):
            writer.member("app", parameters.app)
        case .reviewEligible(let parameters), .reviewRequest(let parameters):
            writer.member("app", parameters.app)
            writer.member("completed", parameters.completed)
            writer.present("appStoreID", parameters.appStoreID)
            if parameters.needsPage { writer.member("needsPage", true) }
        case .refresh(let parameters):
            writer.member("wait", parameters.wait)
        case .subscribe(let parameters):
            if let events = parameters.events { writer.member("events", events.map(\.rawValue)) }
            writer.present("host", parameters.host)
            if let since = parameters.since { writer.member("since", since) }
            writer.present("epoch", parameters.epoch)
        case .clear, .status, .reload, .discover: break
        }
    }
}

extension TaglineLanguage {
    fileprivate var parameter: String { lookedFor ?? "*" }
}

extension JSONWriter {
    /// Writes a member, unless its value is nil.
    fileprivate mutating func present(_ name: String, _ string: String?) {
        if let string { member(name, string) }
    }
}
