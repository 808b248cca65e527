/// What to tell a person who has not configured a catalog.
package enum Unconfigured {
    /// That there is none, and how to begin.
    package static let text =
        "No catalog is configured. Begin with \"promoctl setup https://…\" (your catalog's address), or with "
        + "\"promoctl setup --sample\" to look around."
    /// The same where packages have brought catalogs.
    package static let textBesidesOthers =
        "No default catalog is configured; \"promoctl catalogs\" lists those that are, and --catalog names one."

    /// Either of them.
    package static func text(hasOthers: Bool) -> String { hasOthers ? textBesidesOthers : text }
}
