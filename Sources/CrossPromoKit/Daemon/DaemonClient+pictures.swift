package import FoundationEssentials
package import PromoWire

extension DaemonClient {
    /// The pictures of apps whose files cannot be read here, as in a sandbox, by the apps' ids. Blocks until promod has sent them.
    package func pictures(of apps: some Sequence<PromoApp>, catalog: CatalogReference?) -> [String: Data] {
        var pictures: [String: Data] = [:]
        for app in apps where app.iconFile != nil && PictureFile.read(app.iconFile) == nil {
            // Where one fails, the app's placeholder is shown.
            guard let answer = try? ask(.icon(AppParameters(app: app.id, catalog: catalog))) else { continue }
            pictures[app.id] = try? IconResult(answer).data
        }
        return pictures
    }
}

extension IconResult {
    /// The picture's bytes; nil if there is none.
    var data: Data? { picture.flatMap { Data(base64Encoded: Data($0.base64.bytes)) } }
}
