import PromoWire

/// The last answer about a service's list, from which all that the service says is derived.
package struct LastAnswer: Equatable, Sendable {
    /// The last list that promod sent; nil until the first.
    package private(set) var list: PromoList?
    /// Why promod has sent none since; nil if it answered.
    package var failure: PromoError?

    /// The state before the first answer.
    package init() {}

    /// promod has sent a list.
    package init(_ list: PromoList) { self.list = list }

    /// The apps to show.
    package var apps: [PromoApp] { list?.apps ?? [] }

    /// What is wrong; nil if nothing is.
    package var error: PromoError? { failure ?? list?.error }

    /// Whether promod has answered that the first fetch is under way; an event follows.
    var isFetching: Bool { failure == nil && list?.result.freshness.state == .loading }

    /// Whether a person may usefully try again now.
    var canRetry: Bool {
        if let failure { return failure.canRetry }
        return list.map { $0.isExpired || $0.result.canRetry } ?? false
    }

    /// The state of the list.
    /// - Parameter isLoading: whether a request is under way.
    func state(isLoading: Bool) -> PromoService.LoadState {
        if !apps.isEmpty { return error != nil || list?.isExpired == true ? .cached : .loaded }
        if isFetching { return .loading }
        if list == nil, failure == nil { return isLoading ? .loading : .idle }
        return .empty(canRetry: canRetry)
    }
}

extension LastAnswer {
    /// The answer that gives a preview its state.
    init(_ state: PromoService.LoadState, _ apps: [PromoApp], _ result: ListResult) {
        var result = result
        switch state {
        case .idle:
            self.init()
            return
        case .loading: result.freshness.state = .loading
        case .loaded: result.freshness.state = .fresh
        case .cached: result.freshness.state = .expired
        case .empty(let canRetry): result.canRetry = canRetry
        }
        self.init(PromoList(apps, result))
    }
}
