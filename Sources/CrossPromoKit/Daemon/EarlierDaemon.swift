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
                let names = method["params"]?.elements.compactMap { try? $0.read("name", as: String.self) } ?? []
                return ((try? method.read("name")) ?? "", Set(names))
            }, uniquingKeysWith: { one, _ in one })
    }

    /// The request in words that the daemon knows and that mean the same, or less; nil if there is none but the request itself.
    /// - Throws: ``PromoError`` if without the parameter the request would mean another catalog.
    func adapted(_ request: Request) throws(PromoError) -> Request? {
        let name = request.method.description.name
        var result = request
        switch request.method {
        case .list(var parameters):
            if !knows("exclude", of: name) { parameters.exclude = [] }
            if !knows("unlaunched", of: name) { parameters.unlaunched = false }
            if !knows("icons", of: name) { parameters.icons = false }
            result.method = .list(parameters)
        case .subscribe(var parameters):
            // Of the kinds that this library subscribes to, the first protocol has only this one.
            parameters.events = parameters.events?.filter { $0 == .catalog }
            result.method = .subscribe(parameters)
            return result == request ? nil : result
        case .command(.reviewEligible(let review)): result.method = .command(.reviewEligible(adapted(review, name)))
        case .command(.reviewRequest(let review)): result.method = .command(.reviewRequest(adapted(review, name)))
        case .tap, .impression, .command(.icon), .command(.launch), .command(.refresh): break
        case .status, .discover, .command: return nil
        }
        result.catalog = try adapted(request.catalog, name)
        return result == request ? nil : result
    }

    private func adapted(_ review: ReviewParameters, _ name: String) -> ReviewParameters {
        var review = review
        if !knows("needsPage", of: name) { review.needsPage = false }
        if !knows("appStoreID", of: name) { review.appStoreID = nil }
        return review
    }

    private func adapted(_ catalog: CatalogReference?, _ name: String) throws(PromoError) -> CatalogReference? {
        guard let catalog else { return nil }
        guard knows("catalog", of: name) else {
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

    private func knows(_ parameter: String, of method: String) -> Bool {
        methods?[method]?.contains(parameter) ?? false
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
                earlier = EarlierDaemon(discovered: try ask(line: Request(.discover).line, deadline: deadline))
            } catch {
                guard error.reason == ErrorReason.unknownMethod.rawValue else { throw error }
                earlier = EarlierDaemon(discovered: nil)
            }
            guard let adapted = try earlier.adapted(request) else { throw error }
            return try ask(line: adapted.line, deadline: deadline)
        }
    }
}
