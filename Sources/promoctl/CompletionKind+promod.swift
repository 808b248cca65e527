import ArgumentParser
import CrossPromoKit
import PromoWire

extension CompletionKind {
    /// The ids in the default catalog.
    static var appIDs: CompletionKind { words({ AppArgument.known() }, AppID.isWellFormed) }

    /// The names of the catalogs that promod keeps.
    static var catalogNames: CompletionKind { words({ CatalogOption.known() }, CatalogReference.isName) }

    /// Words of promod. bash runs what a word has in `$(…)`, so only well-formed ones reach a shell, whoever listens on
    /// the socket, and at most 1,000.
    private static func words(
        _ known: @escaping @Sendable () -> [String], _ isWellFormed: @escaping @Sendable (String) -> Bool
    ) -> CompletionKind {
        .custom { _, _, _ in Array(known().lazy.filter(isWellFormed).prefix(1_000)) }
    }
}
