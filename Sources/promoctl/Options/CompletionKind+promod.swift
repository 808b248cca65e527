import ArgumentParser
import CrossPromoKit
import PromoWire

extension CompletionKind {
    private static let patience = Duration.milliseconds(500)

    /// The ids in the catalog that the line names, or in the default one.
    static var appIDs: CompletionKind {
        words(AppID.isWellFormed) { line in
            let catalog = line["--catalog"].flatMap(CatalogReference.init)
            let list = Request.Method.list(ListParameters(language: .all))
            return try line.client.ask(list, of: catalog, timeout: patience, reading: ListResult.init).apps.map(\.id)
        }
    }

    /// The names of the catalogs that promod keeps.
    static var catalogNames: CompletionKind {
        words(CatalogReference.isName) { line in
            try line.client.ask(.status, timeout: patience, reading: StatusResult.init).catalogs.flatMap(\.names)
        }
    }

    /// Words of promod; none if it does not answer in time. Any program may listen on the socket, and bash runs what a word has in
    /// `$(…)`, so only well-formed ones reach a shell, and at most 1,000.
    private static func words(
        _ isWellFormed: @escaping @Sendable (String) -> Bool,
        _ known: @escaping @Sendable (WrittenLine) throws -> [String]
    ) -> CompletionKind {
        .custom { line, _, _ in
            let words = (try? known(WrittenLine(words: line))) ?? []
            // A command would take others for options.
            return Array(words.lazy.filter { $0.first != "-" && isWellFormed($0) }.prefix(1_000))
        }
    }
}

/// A line that a shell completes, as it is written: words may be in quotes, and bash splits them at `=`.
private struct WrittenLine {
    let words: [String]

    /// The promod that the line names.
    var client: DaemonClient { DaemonClient(socketPath: self["--socket"]) }

    /// The value of an option; nil if it is not on the line.
    subscript(option: String) -> String? {
        let words = words.flatMap { $0.split(separator: "=", maxSplits: 1) }
        guard let index = words.firstIndex(of: option[...]) else { return nil }
        return words[(index + 1)...].first.map { $0.filter { !"'\"\\".contains($0) } }
    }
}
