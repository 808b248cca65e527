import PromoWire

/// The result of `list` as the daemon writes it, with apps that are already encoded. A client reads it as ``ListResult``.
struct ListReply {
    let freshness: Freshness
    /// Whether a manual retry is useful now, and when promod itself retries.
    let retry: (canRetry: Bool, at: Timestamp?)
    /// Nil while there is no catalog.
    let isHostKnown: Bool?
    let language: TaglineLanguage
    /// Nil while there is no catalog.
    let apps: SharedRows?
    /// Nil if there are apps, or if the catalog was not fetched yet.
    let emptiness: Emptiness?

    /// Writes the result's JSON object.
    func write(to output: inout OutputQueue) {
        output.json.append("{")
        output.json.member("state", freshness.state.rawValue)
        output.json.member("source", freshness.source.rawValue)
        output.json.member("generation", freshness.generation)
        output.json.member("fetchedAt", freshness.fetchedAt)
        output.json.member("originAt", freshness.originAt)
        output.json.member("expiresAt", freshness.expiresAt)
        if let signedUntil = freshness.signedUntil { output.json.member("signedUntil", signedUntil) }
        output.json.member("canRetry", retry.canRetry)
        output.json.member("retryAt", retry.at?.roundedUpToSecond)
        output.json.member("hostKnown", isHostKnown)
        output.json.member("language", language.lookedFor)
        output.json.name("apps")
        if let apps { output.array(of: apps) } else { output.json.array { _ in } }
        if let emptiness { output.json.member("emptyBecause", emptiness.rawValue) }
        output.json.append("}")
    }
}
