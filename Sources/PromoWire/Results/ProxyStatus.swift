/// The proxy through which an origin is asked, as `status` reports it.
package struct ProxyStatus: Equatable, Sendable {
    /// The proxy's address, without user and password.
    package var url: String
    /// What sets it: the key `catalog.proxy`, or the name of an environment variable.
    package var source: String

    /// Creates a status from its parts.
    package init(url: String, source: String) {
        self.url = url
        self.source = source
    }

    /// What `setup` says about a proxy of the environment that it wrote into the configuration.
    package var advice: String {
        "It has the proxy of \(source) too, \(url), since a service does not see a shell's variables; catalog.proxy = \"direct\" is without one."
    }

    /// Reads the member `proxy` of an object; nil if it is null.
    init?(in json: JSONValue) throws(MalformedResult) {
        guard let json = json["proxy"], json.kind == .object else { return nil }
        self.init(url: try json.string("url"), source: try json.string("source"))
    }
}

extension JSONWriter {
    /// Writes a member whose value is a proxy or null.
    mutating func member(_ name: String, _ proxy: ProxyStatus?) {
        self.name(name)
        guard let proxy else { return value(nil as String?) }
        object { writer in
            writer.member("url", proxy.url)
            writer.member("source", proxy.source)
        }
    }
}
