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
    let apps: (rows: ListRows, ranges: [Range<Int>])?
    /// Nil if there are apps, or if the catalog was not fetched yet.
    let emptiness: Emptiness?

    /// Writes the result's JSON object.
    func write(to output: inout OutputQueue) {
        output.json.append("{")
        freshness.writeListMembers(to: &output.json)
        output.json.member("canRetry", retry.canRetry)
        output.json.member("retryAt", retry.at?.roundedUpToSecond)
        output.json.member("hostKnown", isHostKnown)
        output.json.member("language", language.lookedFor)
        output.json.name("apps")
        if let apps { output.array(of: apps.rows, apps.ranges) } else { output.json.array { _ in } }
        if let emptiness { output.json.member("emptyBecause", emptiness.rawValue) }
        output.json.append("}")
    }
}
