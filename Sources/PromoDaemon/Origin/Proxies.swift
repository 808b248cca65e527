package import PromoFetch
package import PromoWire

/// Decides which proxy, if any, a request goes through: by the key, or by the variables that libcurl reads.
package struct Proxies: Equatable, Sendable {
    /// The value of the key `catalog.proxy`.
    package enum Key: Equatable, Sendable {
        /// No proxy, whatever the environment says.
        case direct
        case proxy(ProxyURL)

        /// The text of ``direct``.
        static let noProxy = "direct"

        /// The value as text, which may contain a password.
        package var text: String {
            switch self {
            case .direct: Self.noProxy
            case .proxy(let url): url.text
            }
        }

        /// Reads a value; nil if it is not valid.
        package init?(_ text: String) {
            if text == Self.noProxy {
                self = .direct
            } else if let url = ProxyURL(text, isVariable: false) {
                self = .proxy(url)
            } else {
                return nil
            }
        }
    }

    /// The name of the key.
    package static let key = UsedProxy.key
    /// No proxy.
    package static let none = Proxies(nil, environment: [:])
    /// The variables that libcurl reads. The first of each kind that is not empty counts.
    private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

    private let key: Key?
    /// The variables of the fetching process; none if the key decides.
    let variables: [String: String]

    /// Follows the key, or without one the environment.
    package init(_ key: Key?, environment: [String: String]) {
        variables =
            key == nil ? environment.filter { Self.variables.contains($0.key) && !$0.value.isEmpty } : [:]
        self.key = key ?? (variables.isEmpty ? .direct : nil)
    }

    /// The proxy's address for a query: empty for none, nil if the variables decide.
    var option: String? {
        switch key {
        case .direct: ""
        case .proxy(let url): url.text
        case nil: nil
        }
    }

    /// The proxy that was used; nil if there was none.
    /// - Parameter variable: the variable that libcurl followed.
    package func used(_ variable: String?) -> UsedProxy? {
        UsedProxy(option, variable: variable, environment: variables)
    }
}

extension UsedProxy {
    /// Whether only another address or other credentials would help after a failure.
    func isLasting(_ failure: Failure) -> Bool {
        failure.code == .proxy && (url == nil || failure.message.hasSuffix("(407)."))
    }

    /// The proxy for status.
    package var status: ProxyStatus { ProxyStatus(url: url?.description ?? "", source: source) }
}
