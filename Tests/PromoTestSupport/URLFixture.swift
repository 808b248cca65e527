import Foundation

/// Texts that are https addresses, and texts that are not.
package enum URLFixture {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/https-urls.json"
    package static let accepted = texts("accepted")
    package static let refused = texts("refused")

    private static func texts(_ name: String) -> [String] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        return object?[name] as? [String] ?? []
    }
}
