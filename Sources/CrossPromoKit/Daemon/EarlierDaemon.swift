import PromoWire

/// What a daemon does not know that is older than this library.
///
/// promod refuses a request with a parameter that it does not know, and such a request has no effect. Only then is the daemon asked what
/// it knows, so that a request to one of the same version costs nothing more.
struct EarlierDaemon {
    /// The names of each method's parameters; nil if the daemon does not say, as one of the first protocol does not.
    private let methods: [String: Set<String>]?

    /// The daemon that sent a result of `rpc.discover`; nil if it refused the request.
    init(discovered result: JSONValue?) {
        guard let list = result?["methods"]?.elements else {
            methods = nil
            return
        }
        methods = Dictionary(
            list.map { method in
                let names = method["params"]?.elements.compactMap { try? $0.string("name") } ?? []
                return ((try? method.string("name")) ?? "", Set(names))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// The request in words that the daemon knows and that mean the same, or less; nil if there is none but the request itself.
    /// - Throws: ``PromoError`` if without the parameter the request would mean another catalog.
    func adapted(_ request: Request) throws(PromoError) -> Request? {
        let result: Request
        switch request {
        case .list(var parameters):
            if !knows("exclude", of: request) { parameters.exclude = [] }
            if !knows("unlaunched", of: request) { parameters.unlaunched = false }
            if !knows("icons", of: request) { parameters.icons = false }
            result = .list(try adapted(parameters, \.catalog, of: request))
        case .tap(let parameters): result = .tap(try adapted(parameters, \.catalog, of: request))
        case .impression(let parameters): result = .impression(try adapted(parameters, \.catalog, of: request))
        case .icon(let parameters): result = .icon(try adapted(parameters, \.catalog, of: request))
        case .launch(let parameters): result = .launch(try adapted(parameters, \.catalog, of: request))
        case .refresh(let parameters): result = .refresh(try adapted(parameters, \.catalog, of: request))
        case .reviewEligible(let parameters): result = .reviewEligible(try adapted(parameters, of: request))
        case .reviewRequest(let parameters): result = .reviewRequest(try adapted(parameters, of: request))
        case .subscribe(var parameters):
            // Of the kinds that this library subscribes to, the first protocol has only this one.
            parameters.events = parameters.events?.filter { $0 == .catalog }
            result = .subscribe(parameters)
        case .reviewReturn, .reviewReset, .hide, .show, .clear, .status, .reload, .diagnose, .discover: return nil
        }
        return result == request ? nil : result
    }

    private func adapted(_ review: ReviewParameters, of request: Request) throws(PromoError) -> ReviewParameters {
        var review = review
        if !knows("needsPage", of: request) { review.needsPage = false }
        if !knows("appStoreID", of: request) { review.appStoreID = nil }
        return try adapted(review, \.catalog, of: request)
    }

    private func adapted<Parameters>(
        _ parameters: Parameters, _ catalog: WritableKeyPath<Parameters, CatalogReference?>, of request: Request
    ) throws(PromoError) -> Parameters {
        var parameters = parameters
        parameters[keyPath: catalog] = try adapted(parameters[keyPath: catalog], of: request)
        return parameters
    }

    private func adapted(_ catalog: CatalogReference?, of request: Request) throws(PromoError) -> CatalogReference? {
        guard let catalog else { return nil }
        guard knows("catalog", of: request) else {
            throw PromoError(
                .badReply,
                message:
                    "This promod is too old to keep more catalogs than one, so it cannot say what is in the app's own. Update promod."
            )
        }
        // A daemon that does not know both finds the catalog by its address, which is what tells publishers apart.
        if case .both(_, let address) = catalog { return .address(address) }
        return catalog
    }

    private func knows(_ parameter: String, of request: Request) -> Bool {
        methods?[request.method]?.contains(parameter) ?? false
    }
}

extension DaemonConnection {
    /// Sends a request, in words that an earlier daemon knows if this one refuses it, and blocks until the answer.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    mutating func ask(adapting request: Request, deadline: Deadline) throws(PromoError) -> JSONValue {
        do {
            return try ask(line: request.line, deadline: deadline)
        } catch {
            guard error.code == .refused, error.reason == ErrorReason.invalidParams.rawValue else { throw error }
            let earlier: EarlierDaemon
            do {
                earlier = EarlierDaemon(discovered: try ask(line: Request.discover.line, deadline: deadline))
            } catch {
                guard error.reason == ErrorReason.unknownMethod.rawValue else { throw error }
                earlier = EarlierDaemon(discovered: nil)
            }
            guard let adapted = try earlier.adapted(request) else { throw error }
            return try ask(line: adapted.line, deadline: deadline)
        }
    }
}
