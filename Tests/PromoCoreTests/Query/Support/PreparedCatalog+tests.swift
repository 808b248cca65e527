import PromoCore
import PromoWire

extension PreparedCatalog {
    /// Creates a prepared catalog from its text.
    init(text: String) throws {
        self = try PreparedCatalog(bytes: Array(text.utf8))
    }

    /// Creates a prepared catalog from its bytes.
    init(bytes: [UInt8]) throws {
        self.init(try AppCatalog(bytes), generation: Digest(of: bytes).short)
    }

    /// A catalog of apps with the given ids, and with rules as JSON.
    static func of(_ ids: [String], rules: String = "{}") throws -> PreparedCatalog {
        let apps = ids.map { id in
            """
            {"id":"\(id)","name":"\(id)","appStoreID":"1","iconURL":"https://a.example/i","category":"c",
            "tagline":{"en":"t"}}
            """
        }
        return try PreparedCatalog(text: "{\"apps\":[\(apps.joined(separator: ","))],\"promoRules\":\(rules)}")
    }

    /// The catalog that ships with promod.
    static func sample() throws -> PreparedCatalog {
        try PreparedCatalog(bytes: SampleCatalog.bytes)
    }

    /// The array of apps that a host is shown.
    func shown(
        to host: String?, in language: TaglineLanguage = .one(.en), limit: Int? = nil
    ) throws -> JSON {
        try JSON(list(in: language).text(selection(host: host).first(limit, among: [0..<count])))
    }
}
