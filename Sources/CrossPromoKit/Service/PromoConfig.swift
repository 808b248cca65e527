public import FoundationEssentials
import PromoProcess
package import PromoWire

/// The configuration of a ``PromoService``.
public struct PromoConfig: Sendable {
    /// The address of the catalog that the host app expects promod to keep; nil to accept any catalog.
    public var jsonURL: URL?
    /// The id of the host app: lower-case ASCII letters, digits and hyphens. The app itself is not listed, and its rule in the
    /// catalog applies.
    public var currentAppID: String
    /// The path of promod's socket; nil for the default, which the environment may change.
    public var socketPath: String?
    /// The language of the taglines, a BCP 47 tag or a POSIX locale; nil for the process's language.
    public var language: String?
    /// How long promod may take to answer a request that does not wait for a fetch.
    public var timeout: Duration

    /// Creates a configuration, for which only the host app is required.
    public init(
        jsonURL: URL? = nil, currentAppID: String, socketPath: String? = nil, language: String? = nil,
        timeout: Duration = .seconds(5)
    ) {
        self.jsonURL = jsonURL
        self.currentAppID = currentAppID
        self.socketPath = socketPath
        self.language = language
        self.timeout = timeout
    }

    package var client: DaemonClient { DaemonClient(socketPath: socketPath, timeout: timeout) }

    package var host: String? { currentAppID.isEmpty ? nil : currentAppID }

    /// The host app's id.
    /// - Throws: `invalidAppID` if it is not valid, because without it the list would contain the host app.
    func checkedHost() throws(PromoError) -> String {
        guard AppID.isWellFormed(currentAppID) else {
            throw PromoError(
                .invalidAppID,
                "currentAppID is \"\(currentAppID.printable.shortened())\", but an app's id has \(AppID.form), such as finebill."
            )
        }
        return currentAppID
    }

    package var resolvedLanguage: Language {
        language.map { Language(tag: $0) } ?? Language(environment: ProcessEnvironment().variables)
    }
}
