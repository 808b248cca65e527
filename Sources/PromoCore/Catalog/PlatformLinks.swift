import PromoWire

/// An app's links by platform; promod reads the one for Linux.
///
/// The links are an extension that other readers do not know, so a malformed one never makes a catalog invalid.
struct PlatformLinks {
    /// A member of an app that has links.
    enum Kind: String, CaseIterable {
        /// Pages in stores.
        case store = "storeURLs"
        /// Pages for writing a review.
        case review = "reviewURLs"
    }

    /// The platform whose links promod reads.
    static let platform = "linux"

    /// The https address of the page for Linux; nil if there is none, or if it is malformed.
    private(set) var linux: String?
    /// The problem of a malformed link; nil if there is none.
    private(set) var problem: (message: String, spot: CatalogSpot)?

    init(_ kind: Kind, of app: CatalogSpot) {
        guard let links = app.member(kind.rawValue), links.value.kind != .null else { return }
        guard links.value.kind == .object else {
            problem = (
                "\"\(kind.rawValue)\" is ignored: it must be an object such as {\"linux\":\"https://…\"}.", links
            )
            return
        }
        guard let link = links.member(Self.platform), link.value.kind != .null else { return }
        // A user before an @ would make one host look like another.
        let text = link.value.outsideText ?? ""
        guard let url = HTTPSURL(text), url.userInformation == nil else {
            let reason = HTTPSURL.problem(of: text)?.clause ?? "has a user"
            problem = (
                "\"\(Self.platform)\" is ignored: it must be an https address without a user, but it \(reason).", link
            )
            return
        }
        linux = url.link
    }
}
