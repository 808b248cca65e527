import FoundationEssentials
import PromoCore
@testable import PromoWire

/// Texts with a string in every place that promod reads.
enum Samples {
    /// A line for each method, with all its parameters, in both forms.
    static var lines: [[UInt8]] {
        MethodTable.all.flatMap { method in
            let parameters = method.parameters.map { "\"\($0.name)\":\($0.schema.example)" }.joined(separator: ",")
            let flat = parameters.isEmpty ? "" : "," + parameters
            return [
                "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"\(method.name)\",\"params\":{\(parameters)}}",
                "{\"id\":1,\"method\":\"\(method.name)\"\(flat)}",
            ].map { Array($0.utf8) }
        }
    }

    /// A catalog with every member that its schema describes.
    static let catalog = Array(
        """
        {"apps":[{"id":"bookary","name":"Bookary","appStoreID":"6470000002","iconURL":"https://example.com/b.png",\
        "category":"Books","tagline":{"en":"A diary","ko":"일기","ja":"日記"},"storeURLs":{"linux":"https://example.com/b"},\
        "reviewURLs":{"linux":"https://example.com/r"}},\
        {"id":"finepomo","name":"FinePomo","appStoreID":"6470000003","iconURL":"https://example.com/f.png",\
        "category":"Time","tagline":{"en":"Focus"}}],"promoRules":{"bookary":["finepomo"]}}
        """.utf8)

    /// The schema of catalogs.
    static func schema() throws -> [UInt8] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array(try Data(contentsOf: repository.appending(path: "packaging/catalog-schema.json")))
    }

    /// A review history.
    static let history = Array(
        """
        {"format":4,"apps":{"bookary":{"firstLaunch":"2026-11-21T07:41:00Z","requests":["2026-11-21T07:41:00Z"]},\
        "notes":{"firstLaunch":"2026-11-21T07:41:00Z","requests":[]}}}
        """.utf8)

    /// The schedule of an origin that failed.
    static let schedule = Array(
        """
        {"failures":1,"notBefore":"2026-11-21T07:41:00Z","lastOutcome":"failed",\
        "lastError":{"code":"dns","message":"No such host."}}
        """.utf8)

    /// The book of an icon, and a host that rests.
    static let icons = Array(
        """
        {"format":3,"asked":true,"rests":{"b.example:443":1795222800000},\
        "icons":[{"url":"https://a.example/i","file":"0123456789abcdef0123456789abcdef.png","size":9,\
        "etag":"\\"1\\"","lastModified":"x"}]}
        """.utf8)

    /// The header of a cached catalog.
    static let cacheHeader = Array(
        """
        {"format":1,"url":"https://a.example/c","etag":"\\"1\\"","lastModified":"x","fetchedAt":"2026-11-21T07:41:00Z",\
        "sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","bytes":0}
        """.utf8)
}
