import ArgumentParser
import CrossPromoKit
import PromoWire

extension CompletionKind {
    /// The ids in the catalog that the line names, or in the default one.
    static var appIDs: CompletionKind {
        words(AppID.isWellFormed) { line in
            AppArgument.known(to: line.client, in: line["--catalog"].flatMap(CatalogReference.init))
        }
    }

    /// The names of the catalogs that promod keeps.
    static var catalogNames: CompletionKind {
        words(CatalogReference.isName) { CatalogOption.known(to: $0.client) }
    }

    /// Words of promod. bash runs what a word has in `$(…)`, so only well-formed ones reach a shell, whoever listens on
    /// the socket, and at most 1,000.
    private static func words(
        _ isWellFormed: @escaping @Sendable (String) -> Bool, _ known: @escaping @Sendable (WrittenLine) -> [String]
    ) -> CompletionKind {
        .custom { line, _, _ in Array(known(WrittenLine(words: line)).lazy.filter(isWellFormed).prefix(1_000)) }
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
