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

    /// Whether the reply may have to wait for a fetch.
    package var waitsForFetch: Bool {
        switch method {
        case .list(let parameters): parameters.wait
        case .command(.refresh(let parameters)): parameters.wait
        case .tap, .impression, .subscribe, .status, .discover, .command: false
        }
    }
}

/// A request that the control plane carries out. It may wait for the disk or for a fetch, so the reply comes later.
package enum Command: Equatable, Sendable {
    case refresh(RefreshParameters)
    case clear
    case reload
    /// Checks the file with this path, or all configured files.
    case diagnose(caFile: OutsideText?)
    /// Reads the picture from the disk.
    case icon(app: String)
    case launch(app: String)
    /// Carried out only if the review history could not be read; it is read again before the answer.
    case reviewEligible(ReviewParameters)
    case reviewRequest(ReviewParameters)
    case reviewReturn(ReturnParameters)
    case reviewReset(app: String)
    case hide(app: String)
    case show(app: String)
}

extension Request.Method {
    /// The description of the method.
    package var description: any MethodDescription { call.description }

    /// The method with its parameters. Inlined, the description alone costs no closure.
    @inline(__always) fileprivate var call: MethodCall {
        switch self {
        case .list(let parameters): MethodTable.list.call(parameters)
        case .tap(let parameters): MethodTable.tap.call(parameters)
        case .impression(let parameters): MethodTable.impression.call(parameters)
        case .subscribe(let parameters): MethodTable.subscribe.call(parameters)
        case .status: MethodTable.status.call(())
        case .discover: MethodTable.discover.call(())
        case .command(.refresh(let parameters)): MethodTable.refresh.call(parameters)
        case .command(.clear): MethodTable.clear.call(())
        case .command(.reload): MethodTable.reload.call(())
        case .command(.diagnose(let file)): MethodTable.diagnose.call(file)
        case .command(.icon(let app)): MethodTable.icon.call(app)
        case .command(.launch(let app)): MethodTable.launch.call(app)
        case .command(.reviewEligible(let question)): MethodTable.reviewEligible.call(question)
        case .command(.reviewRequest(let question)): MethodTable.reviewRequest.call(question)
        case .command(.reviewReturn(let grant)): MethodTable.reviewReturn.call(grant)
        case .command(.reviewReset(let app)): MethodTable.reviewReset.call(app)
        case .command(.hide(let app)): MethodTable.hide.call(app)
        case .command(.show(let app)): MethodTable.show.call(app)
        }
    }
}

extension Request {
    /// The request as a line of the protocol, with LF.
    package var line: [UInt8] {
        let call = method.call
        return Self.line(method: call.description.name) { writer in
            writer.object { writer in
                if let catalog { writer.member("catalog", catalog) }
                call.writeParameters(&writer)
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
