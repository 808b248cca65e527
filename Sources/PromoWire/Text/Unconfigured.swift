/// The message for a person who has not configured a catalog.
package enum Unconfigured {
    /// The message.
    package static let text =
        "No catalog is configured. Begin with \"promoctl setup https://…\" (your catalog's address), or with "
        + "\"promoctl setup --sample\" to look around."
}
