import Logging
import PromoCore
import PromoSystem
import PromoWire

/// The records about the refreshes of a catalog.
extension CatalogLog {
    func fetchEnded(
        _ result: RefreshResult, reply: OriginReply, apps: Int?, failures: Int, next: Timestamp?
    ) {
        var metadata: Logger.Metadata = [
            "generation": "\(result.generation ?? "")", "attempt": "\(failures)",
            "next-refresh": "\(next?.rfc3339 ?? "")",
        ]
        if let status = reply.httpStatus { metadata["http-status"] = "\(status)" }
        if let address = result.redirectedTo { metadata["redirected-to"] = "\(address)" }
        let sender = result.redirectedTo.map { " It came from \($0)." } ?? ""
        let upcoming = sender + (next.map { " Next refresh \(LocalTime.short($0))." } ?? "")
        switch result.outcome {
        case .updated:
            let content = "\((apps ?? 0).counting("app")), generation \(result.generation ?? "none")"
            self(.refreshUpdated, "The catalog was updated: \(content).\(upcoming)", metadata)
        case .unchanged:
            let remark = result.error.map { " " + $0.message } ?? ""
            self(.refreshUnchanged, "The catalog is unchanged.\(remark)\(upcoming)", metadata)
        case .failed, .started:
            let kept = apps == nil ? "there is no catalog to serve" : "the old catalog is kept"
            metadata["error"] = "\(result.error?.code.rawValue ?? result.outcome.rawValue)"
            self(
                .refreshFailed, "The refresh failed, and \(kept). \(result.error?.message ?? "")\(upcoming)", metadata)
        }
    }

    func linksIgnored(_ count: Int) {
        self(
            .linksIgnored,
            "\(count.counting("link")) of the catalog in storeURLs or reviewURLs \(count == 1 ? "is" : "are") ignored, because "
                + "each must be an https address; \"promod validate\" with the catalog's address shows where they are.")
    }
}
