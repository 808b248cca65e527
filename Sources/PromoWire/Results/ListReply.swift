/// What `list` answers, with its apps as rows that were written before; ``ListResult`` is what a client reads of it.
package struct ListReply: Sendable {
    private let freshness: Freshness
    private let retry: (canRetry: Bool, at: Timestamp?)
    private let isHostKnown: Bool?
    private let language: TaglineLanguage
    private let apps: SharedRows?

    /// A reply with its parts.
    /// - Parameters:
    ///   - retry: whether it makes sense that a person tries again now, and when promod itself does.
    ///   - isHostKnown: nil while there is no catalog.
    ///   - apps: nil while there is no catalog.
    package init(
        freshness: Freshness, retry: (canRetry: Bool, at: Timestamp?), isHostKnown: Bool?, language: TaglineLanguage,
        apps: SharedRows?
    ) {
        self.freshness = freshness
        self.retry = retry
        self.isHostKnown = isHostKnown
        self.language = language
        self.apps = apps
    }

    /// Writes the result's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", freshness.state.rawValue)
            writer.member("source", freshness.source.rawValue)
            writer.member("generation", freshness.generation)
            writer.member("fetchedAt", freshness.fetchedAt)
            writer.member("expiresAt", freshness.expiresAt)
            writer.member("canRetry", retry.canRetry)
            writer.member("retryAt", retry.at?.roundedUpToSecond)
            writer.member("hostKnown", isHostKnown)
            writer.member("language", language.lookedFor)
            writer.name("apps")
            if let apps { writer.array(of: apps) } else { writer.array { _ in } }
        }
    }
}
