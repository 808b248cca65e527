/// A request whose parameters have been checked.
package struct Request: Equatable, Sendable {
    /// The method with its parameters.
    package enum Method: Equatable, Sendable {
        case list(ListParameters)
        case tap(TapParameters)
        case impression(ImpressionParameters)
        case subscribe(SubscribeParameters)
        case status
        case discover
        case command(Command)
    }

    package var method: Method
    /// The catalog that it names; nil for the default one, and in a subscription for all.
    package var catalog: CatalogReference?

    /// Creates a request from its method and the catalog that it names.
    package init(_ method: Method, of catalog: CatalogReference? = nil) {
        (self.method, self.catalog) = (method, catalog)
    }

    /// The same request without a wait for a fetch; nil if it has none.
    package var withoutWait: Request? {
        switch method {
        case .list(var parameters) where parameters.wait:
            parameters.wait = false
            return Request(.list(parameters), of: catalog)
        case .command(.refresh(var parameters)) where parameters.wait:
            parameters.wait = false
            return Request(.command(.refresh(parameters)), of: catalog)
        case .command(.icon(let app, let host, true)):
            return Request(.command(.icon(app: app, host: host)), of: catalog)
        case .list, .tap, .impression, .subscribe, .status, .discover, .command: return nil
        }
    }
}

/// A request that the keeper carries out. It may wait for the disk or for a fetch, so the reply comes later.
package enum Command: Equatable, Sendable {
    case refresh(RefreshParameters)
    /// - Parameter force: whether even the only copy is cleared.
    case clear(host: String? = nil, force: Bool = false)
    case reload
    /// Reads the picture from the disk, perhaps after its fetch.
    case icon(app: String, host: String? = nil, wait: Bool = false)
    case launch(app: String)
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReset(app: String)
}

extension Command {
    /// The app that asks, or whose review is asked about.
    package var host: String? {
        switch self {
        case .refresh(let parameters): parameters.host
        case .clear(let host, _), .icon(_, let host, _): host
        case .launch(let app), .reviewReset(let app): app
        case .reviewEligible(let parameters), .reviewRequest(let parameters): parameters.app
        case .reload: nil
        }
    }
}

extension Request.Method {
    /// The description of the method.
    package var description: MethodDescription {
        switch self {
        case .list: MethodTable.list
        case .tap: MethodTable.tap
        case .impression: MethodTable.impression
        case .subscribe: MethodTable.subscribe
        case .status: MethodTable.status
        case .discover: MethodTable.discover
        case .command(.refresh): MethodTable.refresh
        case .command(.clear): MethodTable.clear
        case .command(.reload): MethodTable.reload
        case .command(.icon): MethodTable.icon
        case .command(.launch): MethodTable.launch
        case .command(.reviewEligible): MethodTable.reviewEligible
        case .command(.reviewRequest): MethodTable.reviewRequest
        case .command(.reviewReset): MethodTable.reviewReset
        }
    }

    /// The app that asks, by which the catalog is chosen if the request names none; nil if it does not say.
    package var host: String? {
        switch self {
        case .list(let parameters): parameters.host
        case .tap(let parameters): parameters.host
        case .impression(let parameters): parameters.host
        case .command(let command): command.host
        case .subscribe, .status, .discover: nil
        }
    }

    /// Visits the parameters. Nothing changes unless they are read.
    mutating func visitParameters(_ visitor: inout MemberVisitor) {
        switch self {
        case .list(let parameters): self = .list(parameters.visited(by: &visitor))
        case .tap(let parameters): self = .tap(parameters.visited(by: &visitor))
        case .impression(let parameters): self = .impression(parameters.visited(by: &visitor))
        case .subscribe(let parameters): self = .subscribe(parameters.visited(by: &visitor))
        case .status, .discover, .command(.reload): break
        case .command(.refresh(let parameters)): self = .command(.refresh(parameters.visited(by: &visitor)))
        case .command(.clear(var host, var force)):
            visitor.host(&host)
            visitor.flag("force", &force[unless: false], "whether to delete even the only copy")
            self = .command(.clear(host: host, force: force))
        case .command(.icon(var app, var host, var wait)):
            visitor.app(&app)
            visitor.host(&host)
            visitor.flag("wait", &wait[unless: false], "whether to wait for a missing picture that can be fetched")
            self = .command(.icon(app: app, host: host, wait: wait))
        case .command(.launch(var app)):
            visitor.app(&app)
            self = .command(.launch(app: app))
        case .command(.reviewEligible(let question)):
            self = .command(.reviewEligible(question.visited(by: &visitor)))
        case .command(.reviewRequest(let question)): self = .command(.reviewRequest(question.visited(by: &visitor)))
        case .command(.reviewReset(var app)):
            visitor.app(&app)
            self = .command(.reviewReset(app: app))
        }
    }
}

extension Request {
    /// The request as a line of the protocol, with LF.
    package var line: [UInt8] {
        var method = method
        return Self.line(method: method.description.name) { writer in
            writer.object { writer in
                if let catalog { writer.member("catalog", catalog) }
                MemberVisitor.writeMembers(to: &writer) { method.visitParameters(&$0) }
            }
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
}
