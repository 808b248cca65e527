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
        try PreparedCatalog(text: PromoCoreTests.catalog(ids.map { PromoCoreTests.app($0) }, rules: rules))
    }

    /// The catalog that ships with promod.
    static func sample() throws -> PreparedCatalog {
        try PreparedCatalog(bytes: SampleCatalog.bytes)
    }

    /// The ids of the apps that a host is shown.
    func shown(to host: String) throws -> [String] {
        try JSON(list(in: .one(.en)).text(selection(host: host).first(nil, among: [0..<count]))).ids
    }
}
