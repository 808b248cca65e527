import CrossPromoKit
import PromoWire

extension DaemonClient {
    /// Asks for a list with pictures, which promod fetches first if they are missing or old.
    /// - Returns: nil if that takes longer than the patience.
    func list(
        _ parameters: ListParameters, of catalog: CatalogReference?, withIconsWithin patience: Duration
    ) throws -> JSONValue? {
        var parameters = parameters
        parameters.icons = true
        parameters.wait = true
        do {
            return try Progress.during("Icons are being fetched") {
                try ask(.list(parameters), of: catalog, timeout: patience)
            }
        } catch let error as PromoError where error.code == .timedOut {
            return nil
        }
    }
}
