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

    /// A file of the repository.
    static func file(_ path: String) throws -> [UInt8] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array(try Data(contentsOf: repository.appending(path: path)))
    }

    /// A file of a fuzzer's corpus.
    static func corpus(_ path: String) throws -> [UInt8] { try file("Tests/Fuzz/Corpora/\(path)") }

    /// A review history.
    static func history() throws -> [UInt8] { try corpus("history-file/requests") }
}
