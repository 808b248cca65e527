/// What to do about a broken file of the configuration.
package enum BrokenFile {
    /// The remedy as a sentence. promod watches the directories of drop-ins, but not the configuration file.
    package static func remedy(for file: String?) -> String {
        let isWatched = file?.split(separator: "/").dropLast().last == "catalogs.d"
        return isWatched ? "Fix it; promod reads it again by itself." : "Fix it, and then: promoctl reload"
    }
}
