public import FoundationEssentials
package import PromoWire

/// The list that a host shows, as promod has it.
public struct PromoList: Equatable, Sendable {
    /// Where a list comes from.
    public enum Source: String, Sendable {
        /// The catalog's server.
        case origin
        /// The file that came with the app's package, because nothing was fetched yet.
        case bundled
        /// A file that a developer tests, with `promod --catalog-file`.
        case file
        /// The sample that comes with promod, whose apps are made up. Say so where you show them.
        case sample
    }

    /// Why a list has no apps, if that is not by a failure.
    public enum EmptyReason: String, Sendable {
        /// The catalog's rule for the host allows none, or the catalog has no other app.
        case rule
        /// All others were launched, and the list hides those.
        case launched
        /// No catalog is configured for promod.
        case notConfigured
    }

    /// The apps to show, in the catalog's order; the host is not among them.
    public let apps: [PromoApp]
    package let result: ListResult

    /// Reads promod's result.
    /// - Parameter language: the language of ``LocalizedText/localized``; nil for the process's.
    /// - Throws: `badReply` if an app has an address that is not https.
    package init(_ result: ListResult, in language: Language? = nil) throws(PromoError) {
        do {
            apps = try result.apps.map { app throws(MalformedResult) in try PromoApp(app, in: language) }
        } catch {
            throw .badReply(error)
        }
        self.result = result
    }

    /// Creates a list for a preview.
    init(_ apps: [PromoApp], _ result: ListResult) { (self.apps, self.result) = (apps, result) }

    /// Whether the list is old: promod refreshes it, and reports the new one by an event.
    public var isExpired: Bool { result.freshness.state == .expired }

    /// Where the list comes from; nil while there is none.
    public var source: Source? { Source(rawValue: result.freshness.source.rawValue) }

    /// When the catalog's server last sent or confirmed the list; nil if it did not come from there.
    public var fetchedAt: Date? {
        result.freshness.fetchedAt.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    }

    /// Whether the catalog has the host as an app or in a rule; nil while there is no catalog.
    ///
    /// A host that the catalog does not have is shown every app, so false may mean a typing error in its id.
    public var isHostKnown: Bool? { result.isHostKnown }

    /// Why there are no apps; nil if there are some, or because of a failure.
    public var emptyReason: EmptyReason? {
        switch result.emptiness {
        case .rule: .rule
        case .launched: .launched
        case .notConfigured: .notConfigured
        case nil: nil
        }
    }

    /// Why there is no list, or no newer one than this old one: the failure of the last fetch, or `notConfigured`; nil if nothing is wrong.
    public var error: PromoError? {
        if result.emptiness == .notConfigured { return .notConfigured }
        return result.error.map(PromoError.init)
    }
}

extension PromoError {
    /// The error of a fetch that failed.
    init(_ failure: Failure) {
        self.init(.refreshFailed, reason: failure.code.rawValue, message: failure.message)
    }

    /// The error of a list that is empty because no catalog is configured.
    static let notConfigured = PromoError(
        .notConfigured, reason: ErrorReason.noCatalog.rawValue, message: Unconfigured.text)
}
