package import FoundationEssentials
package import PromoWire

extension DaemonClient {
    /// The pictures of apps, by their ids. Blocks until promod has sent those whose files cannot be read here, as in a sandbox.
    package func pictures(of apps: some Sequence<PromoApp>, catalog: CatalogReference?) -> [String: Data] {
        var pictures: [String: Data] = [:]
        for app in apps where app.iconFile != nil {
            pictures[app.id] = PictureFile.read(app.iconFile) ?? sentPicture(of: app, catalog)
        }
        return pictures
    }

    /// Nil also if promod fails, because the app's placeholder is shown then.
    private func sentPicture(of app: PromoApp, _ catalog: CatalogReference?) -> Data? {
        guard let answer = try? ask(.command(.icon(app: app.id)), of: catalog) else { return nil }
        return try? IconResult(answer).data
    }
}

extension IconResult {
    /// The picture's bytes; nil if there is none.
    var data: Data? { picture.flatMap { Data(base64Encoded: Data($0.base64)) } }
}
