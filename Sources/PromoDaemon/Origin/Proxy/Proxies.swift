package import PromoWire

/// Which proxy, if any, a request goes through.
package struct Proxies: Equatable, Sendable {
    /// The value of the key `catalog.proxy`.
    package enum Key: Equatable, Sendable {
        /// No proxy, whatever the environment says.
        case direct
        case proxy(ProxyURL)
    }

    /// A proxy, and what sets it: the key, or the name of a variable.
    package struct Used: Equatable, Sendable {
        package let url: ProxyURL
        package let source: String
    }

    private enum Setting: Equatable {
        case direct
        case proxy(Used)
        /// The variable's value is not the address of an HTTP proxy.
        case unusable(variable: String)
    }

    /// The name of the key.
    package static let key = "catalog.proxy"
    /// No proxy.
    package static let none = Proxies(nil, environment: [:])

    private let setting: Setting
    private let exceptions: ProxyExceptions

    /// What the key says, or without it the environment.
    package init(_ key: Key?, environment: [String: String]) {
        func variable(_ names: String...) -> (name: String, value: String)? {
            names.lazy.map { ($0, environment[$0] ?? "") }.first { !$0.1.isEmpty }
        }
        var exceptions = ""
        switch key {
        case .direct:
            setting = .direct
        case .proxy(let url):
            setting = .proxy(Used(url: url, source: Self.key))
        case nil:
            exceptions = variable("no_proxy", "NO_PROXY")?.value ?? ""
            setting =
                variable("https_proxy", "HTTPS_PROXY").map { name, value in
                    let url = ProxyURL(value, needsScheme: false)
                    return url.map { .proxy(Used(url: $0, source: name)) } ?? .unusable(variable: name)
                } ?? .direct
        }
        self.exceptions = ProxyExceptions(exceptions)
    }

    /// The proxy for a request; nil if there is none.
    /// - Throws: a failure with the code `proxy` if the variable that sets it has no valid value.
    package func proxy(for url: HTTPSURL) throws(Failure) -> Used? {
        switch setting {
        case .proxy(let used): return exceptions.contain(url) ? nil : used
        case .unusable(let variable) where !exceptions.contain(url):
            throw Failure(
                .proxy,
                "The environment variable \(variable) is not the address of an http proxy, such as http://proxy.example:3128."
            )
        case .direct, .unusable: return nil
        }
    }
}
