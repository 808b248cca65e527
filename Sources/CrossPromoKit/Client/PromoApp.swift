public import FoundationEssentials
import PromoWire

/// A promoted app.
public struct PromoApp: Identifiable, Hashable, Sendable {
    /// The id: lower-case ASCII letters, digits and hyphens.
    public let id: String
    /// The name to show.
    public let name: String
    /// The number in the App Store; empty if the app is not there.
    public let appStoreID: String
    /// The https address of the icon.
    public let iconURL: URL
    /// The label of the category, in English.
    public var category: String { localizedCategory.en }
    /// The label of the category, with its translations.
    public let localizedCategory: LocalizedText
    /// One sentence about the app.
    public let tagline: LocalizedText
    /// The https address of the page in the store.
    public let storeURL: URL
    /// The file with its picture, a PNG, JPEG or WebP; nil if there is none yet, or if ``PromoConfig/loadsIcons`` is false.
    public let iconFile: URL?
    /// What stands for the app's picture until it is there.
    public let placeholder: IconPlaceholder

    /// Creates an app from its parts, for previews and tests. Without an address, its page is that in the App Store.
    public init(
        id: String, name: String, appStoreID: String, iconURL: URL, category: String, tagline: LocalizedText,
        storeURL: URL? = nil, iconFile: URL? = nil, placeholder: IconPlaceholder = IconPlaceholder()
    ) {
        self.init(
            id: id, name: name, appStoreID: appStoreID, iconURL: iconURL, category: LocalizedText(en: category),
            tagline: tagline, storeURL: storeURL, iconFile: iconFile, placeholder: placeholder)
    }

    /// Creates an app whose category has translations.
    public init(
        id: String, name: String, appStoreID: String, iconURL: URL, category: LocalizedText, tagline: LocalizedText,
        storeURL: URL? = nil, iconFile: URL? = nil, placeholder: IconPlaceholder = IconPlaceholder()
    ) {
        self.id = id
        self.name = name
        self.appStoreID = appStoreID
        self.iconURL = iconURL
        localizedCategory = category
        self.tagline = tagline
        // A number in the store always makes an address.
        self.storeURL = storeURL ?? URL(string: StoreNumber.page(of: appStoreID)) ?? iconURL
        self.iconFile = iconFile
        self.placeholder = placeholder
    }
}

extension PromoApp {
    /// An app of a list.
    /// - Parameter language: the language of ``LocalizedText/localized``; nil for the process's.
    init(_ app: ListResult.App, in language: Language?) throws(MalformedResult) {
        guard let iconURL = URL(https: app.iconURL) else { throw MalformedResult(member: "iconURL") }
        guard let storeURL = URL(https: app.storeURL) else { throw MalformedResult(member: "storeURL") }
        self.init(
            id: app.id, name: app.name.text, appStoreID: app.appStoreID ?? "", iconURL: iconURL,
            category: LocalizedText(
                en: app.category.text, ko: app.categories[.ko]?.text, ja: app.categories[.ja]?.text, shown: language),
            tagline: LocalizedText(
                en: app.tagline[.en]?.text ?? "", ko: app.tagline[.ko]?.text, ja: app.tagline[.ja]?.text,
                shown: language),
            storeURL: storeURL, iconFile: app.iconPath.map { URL(filePath: $0, directoryHint: .notDirectory) },
            placeholder: IconPlaceholder(app.placeholder))
    }
}

extension URL {
    /// Parses an https address by the catalog's rules, because Foundation accepts other texts too, even an empty one.
    init?(https text: String) {
        guard let url = HTTPSURL(text) else { return nil }
        self.init(string: url.link)
    }
}
