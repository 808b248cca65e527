package import PromoWire

/// A validated catalog: the apps in the order in which they are shown, and the rules by which hosts promote them.
package struct AppCatalog: Equatable, Sendable {
    /// The maximum size of a catalog after decompression, in bytes.
    package static let maximumBytes = 5 << 20
    /// The maximum depth of a catalog's JSON.
    package static let maximumDepth = 64

    /// The apps, at least one.
    package let apps: [PromoApp]
    /// For each host with a rule, the ids of the apps that it may promote; all are in ``apps``.
    package let promoRules: [String: [String]]

    /// Reads and checks a catalog's bytes.
    /// - Throws: ``CatalogError``, with every finding.
    package init(_ bytes: [UInt8]) throws(CatalogError) {
        self = try CatalogText(bytes).catalog()
    }

    init(apps: [PromoApp], promoRules: [String: [String]]) {
        self.apps = apps
        self.promoRules = promoRules
    }
}

/// An app of a catalog.
package struct PromoApp: Equatable, Sendable {
    /// Its id: lowercase ASCII letters, digits and hyphens, unique in the catalog.
    package let id: String
    /// Its display name, never empty.
    package let name: OutsideText
    /// Its App Store number, in ASCII digits; nil if it is not there.
    package let appStoreID: String?
    /// The https address of its icon.
    package let iconURL: String
    /// The label of its category.
    package let category: LocalizedText
    /// Its description, in a few words.
    package let tagline: LocalizedText
    /// The https address of its page: in a store for Linux if the catalog has one, else in the App Store.
    package let storeURL: String
    /// The https address of the page for writing a review on Linux; nil if the catalog has none.
    package var linuxReviewURL: String?
}

/// A text in English, with Korean and Japanese translations if there are any.
package struct LocalizedText: Equatable, Sendable {
    /// The English text, never empty.
    package let en: OutsideText
    /// The Korean text; nil if it is absent, null or empty in the catalog.
    package let ko: OutsideText?
    /// The Japanese text; nil if it is absent, null or empty in the catalog.
    package let ja: OutsideText?

    /// A text with its translations; an empty translation counts as none.
    package init(en: OutsideText, ko: OutsideText? = nil, ja: OutsideText? = nil) {
        self.en = en
        self.ko = ko?.isEmpty == true ? nil : ko
        self.ja = ja?.isEmpty == true ? nil : ja
    }

    /// The text in each language that has one.
    package var texts: [Language: OutsideText] {
        [.en: en, .ko: ko, .ja: ja].compactMapValues(\.self)
    }
}

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
