import FoundationEssentials

/// Encoded as in the result of `list` with language `"*"`, with all translations of the tagline. Decoded from that, or from an app of a
/// catalog, in which `storeURL` may be missing and the category may have translations.
extension PromoApp: Codable {
    fileprivate enum CodingKeys: String, CodingKey {
        case id, name, appStoreID, iconURL, category, categories, tagline, storeURL, storeURLs, placeholder, iconPath
    }

    /// Decodes an app.
    /// - Throws: `DecodingError`, also for an address that is not https.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let page = try values.decodeStorePage()
        let number = try values.decodeIfPresent(String.self, forKey: .appStoreID)
        self.init(
            id: try values.decode(String.self, forKey: .id),
            name: try values.decode(String.self, forKey: .name),
            appStoreID: try number ?? (page == nil ? values.decode(String.self, forKey: .appStoreID) : ""),
            iconURL: try values.decodeHTTPS(forKey: .iconURL),
            category: try values.decodeCategory(),
            tagline: try values.decode(LocalizedText.self, forKey: .tagline),
            storeURL: page,
            iconFile: try values.decodeIfPresent(String.self, forKey: .iconPath).map {
                URL(filePath: $0, directoryHint: .notDirectory)
            },
            placeholder: try values.decodeIfPresent(IconPlaceholder.self, forKey: .placeholder) ?? IconPlaceholder())
    }

    /// Encodes the app. Its addresses are strings, however the encoder represents a `URL`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(appStoreID.isEmpty ? nil : appStoreID, forKey: .appStoreID)
        try values.encode(iconURL.absoluteString, forKey: .iconURL)
        try values.encode(category, forKey: .category)
        let translations = ["ko": localizedCategory.ko, "ja": localizedCategory.ja].compactMapValues(\.self)
        if !translations.isEmpty { try values.encode(translations, forKey: .categories) }
        try values.encode(tagline, forKey: .tagline)
        try values.encode(storeURL.absoluteString, forKey: .storeURL)
        try values.encode(placeholder, forKey: .placeholder)
        try values.encodeIfPresent(iconFile?.path, forKey: .iconPath)
    }
}

extension KeyedDecodingContainer<PromoApp.CodingKeys> {
    /// The page in the store as in a list, or for Linux as in a catalog; nil for the page in the App Store.
    fileprivate func decodeStorePage() throws -> URL? {
        if try decodeIfPresent(String.self, forKey: .storeURL) != nil { return try decodeHTTPS(forKey: .storeURL) }
        let pages = try decodeIfPresent([String: String?].self, forKey: .storeURLs)
        return (pages?["linux"] ?? nil).flatMap { URL(https: $0) }
    }

    /// The category as in a catalog, an object of all texts, or as in a list, a text with its translations beside it.
    fileprivate func decodeCategory() throws -> LocalizedText {
        if let texts = try? decode(LocalizedText.self, forKey: .category) { return texts }
        let translations = try decodeIfPresent([String: String?].self, forKey: .categories) ?? [:]
        return LocalizedText(
            en: try decode(String.self, forKey: .category), ko: translations["ko"] ?? nil,
            ja: translations["ja"] ?? nil)
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeHTTPS(forKey key: Key) throws -> URL {
        let text = try decode(String.self, forKey: key)
        guard let url = URL(https: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\"\(text)\" is not an https address.")
        }
        return url
    }
}
