/// What to do about a broken file of the configuration.
package enum BrokenFile {
    /// The remedy as a sentence. promod watches the directories of drop-ins, but not the configuration file.
    package static func remedy(for file: String?) -> String {
        let isWatched = file?.split(separator: "/").dropLast().last == "catalogs.d"
        return isWatched ? "Fix it; promod reads it again by itself." : "Fix it, and then: promoctl reload"
    }

    /// The problem of each broken file of the configuration, and what to do.
    package static func sentences(_ status: StatusResult) -> [String] {
        let files =
            [(status.configuration.file, status.configuration.error)]
            + status.catalogs.flatMap { catalog in
                [(catalog.file, catalog.error)] + catalog.aliases.map { ($0.file, $0.error) }
            }
        let broken = files.reduce(into: [String]()) { broken, file in
            guard let error = file.1 else { return }
            let sentence = "\(error.sentence) \(remedy(for: file.0))"
            // If the configuration as a whole is broken, every catalog has the same error.
            if !broken.contains(sentence) { broken.append(sentence) }
        }
        let ignored = status.configuration.ignored.filter { $0.cause == .invalid }
        return broken + ignored.map(sentence)
    }

    /// Why a file is ignored, and what to do if it is not valid.
    package static func sentence(_ ignored: IgnoredFile) -> String {
        let reason = "\(ignored.file) is ignored: \(ignored.error.sentence)"
        return ignored.cause == .invalid ? "\(reason) \(remedy(for: ignored.file))" : reason
    }
}
