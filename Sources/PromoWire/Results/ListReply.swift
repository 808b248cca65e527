/// The result of `list` as the daemon writes it, with apps that are already encoded. A client reads it as ``ListResult``.
package struct ListReply: Sendable {
    private let freshness: Freshness
    private let retry: (canRetry: Bool, at: Timestamp?)
    private let isHostKnown: Bool?
    private let language: TaglineLanguage
    private let apps: SharedRows?
    private let emptiness: Emptiness?

    /// Creates a reply from its parts.
    /// - Parameters:
    ///   - retry: whether a person may usefully try again now, and when promod itself tries next.
    ///   - isHostKnown: nil while there is no catalog.
    ///   - apps: nil while there is no catalog.
    ///   - emptiness: nil if there are apps, or if the catalog was not fetched yet.
    package init(
        freshness: Freshness, retry: (canRetry: Bool, at: Timestamp?), isHostKnown: Bool?, language: TaglineLanguage,
        apps: SharedRows?, emptiness: Emptiness? = nil
    ) {
        self.freshness = freshness
        self.retry = retry
        self.isHostKnown = isHostKnown
        self.language = language
        self.apps = apps
        self.emptiness = emptiness
    }

    /// Writes the result's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", freshness.state)
            writer.member("source", freshness.source)
            writer.member("generation", freshness.generation)
            writer.member("fetchedAt", freshness.fetchedAt)
            writer.member("originAt", freshness.originAt)
            writer.member("expiresAt", freshness.expiresAt)
            if let signedUntil = freshness.signedUntil { writer.member("signedUntil", signedUntil) }
            writer.member("canRetry", retry.canRetry)
            writer.member("retryAt", retry.at?.roundedUpToSecond)
            writer.member("hostKnown", isHostKnown)
            writer.member("language", language.lookedFor)
            writer.name("apps")
            if let apps { writer.array(of: apps) } else { writer.array { _ in } }
            if let emptiness { writer.member("emptyBecause", emptiness) }
        }
    }
}
