/// A publisher's catalog, as a test of an app decodes its own file. promod checks more: `promoctl validate` says what.
public struct AppCatalog: Codable, Sendable {
    /// The apps, in the order in which they are shown.
    public let apps: [PromoApp]
    /// For each app with a rule, the ids of the apps that it may promote.
    public let promoRules: [String: [String]]?
}
