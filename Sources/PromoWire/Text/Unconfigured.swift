/// The messages for a person who has not configured a catalog.
package enum Unconfigured {
    /// The message if there is no other catalog either.
    package static let text =
        "No catalog is configured. Begin with \"promoctl setup https://…\" (your catalog's address), or with "
        + "\"promoctl setup --sample\" to look around."
    /// The message if there are other catalogs.
    package static let textBesidesOthers =
        "No default catalog is configured; \"promoctl catalogs\" lists those that are, and --catalog names one."

    /// The message for either case.
    package static func text(hasOthers: Bool) -> String { hasOthers ? textBesidesOthers : text }
}
