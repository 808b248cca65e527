package import PromoWire

/// The settings of one catalog.
package struct CatalogSettings: Equatable, Sendable {
    /// Where a catalog comes from.
    package enum Source: Equatable, Sendable {
        /// promod's own sample, which only the default catalog can be.
        case sample
        case address(HTTPSURL)
    }

    package var source: Source?
    /// The path of a PEM file with certificates that are trusted in addition to the system's; nil for that of the configuration.
    package var caFile: String?
    /// The proxy; nil for that of the configuration.
    package var proxy: ProxySetting?
    /// The ids of the apps whose requests are about this catalog unless they name another one.
    package var hosts: [String] = []

    /// No settings.
    package init() {}

    /// The address of the catalog; nil for none, and for the sample.
    package var url: HTTPSURL? { if case .address(let url) = source { url } else { nil } }

    /// The name of the catalog's directory in the cache, which drop-ins with the same address, certificates and proxy share: the first 16
    /// hexadecimal digits of a SHA-256. User and password do not count.
    package var digest: String? {
        let address: String
        switch source {
        case nil: return nil
        case .sample: address = "sample"
        case .address(let url): address = url.requestText
        }
        let own = [caFile.map { "\nca-file \($0)" }, proxy.map { "\nproxy \($0.text)" }].compactMap(\.self)
        return Digest(of: Array((address + own.joined()).utf8)).short
    }
}

/// The value of a key that sets a proxy.
package enum ProxySetting: Equatable, Sendable {
    /// No proxy, whatever the environment says.
    case direct
    case proxy(ProxyURL)

    /// The text of ``direct``.
    package static let noProxy = "direct"

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

    /// The value as text, which may contain a password.
    package var text: String {
        switch self {
        case .direct: Self.noProxy
        case .proxy(let url): url.text
        }
    }
}
