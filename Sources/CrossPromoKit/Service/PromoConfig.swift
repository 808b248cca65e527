public import FoundationEssentials
import PromoProcess
package import PromoWire

/// What a host app tells the service.
public struct PromoConfig: Sendable {
    /// The catalog that the host app expects promod to keep; nil takes whatever promod is configured for.
    public var jsonURL: URL?
    /// The host app's own id, which is left out of the list and whose rule counts: lower-case ASCII letters, digits and hyphens.
    public var currentAppID: String
    /// Where promod listens; nil takes what the environment says.
    public var socketPath: String?
    /// The language of the taglines, a BCP 47 tag or a POSIX locale; nil takes the process's.
    public var language: String?
    /// How long promod may take to answer what waits for nothing.
    public var timeout: Duration

    /// A configuration in which everything but the host app may be left out.
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
    /// - Throws: `invalidAppID` if it is not one. A service without a host would show an app to itself.
    func checkedHost() throws(PromoError) -> String {
        guard AppID.isWellFormed(currentAppID) else {
            throw PromoError(
                .invalidAppID,
                "currentAppID is \"\(currentAppID.printable.shortened())\", and an app's id is \(AppID.form), such as finebill."
            )
        }
        return currentAppID
    }

    package var resolvedLanguage: Language {
        language.map { Language(tag: $0) } ?? Language(environment: ProcessEnvironment().variables)
    }
}
