import Logging
import PromoCore
import PromoProcess
import PromoWire

/// Logs refreshes and configuration changes.
struct RefreshLog {
    let logger: Logger

    /// Logs how a fetch ended, and what is served now.
    func fetchEnded(
        _ result: RefreshResult, reply: OriginReply, apps: Int?, attempt: Int, next: Timestamp?
    ) {
        var metadata: Logger.Metadata = [
            "generation": "\(result.generation ?? "")", "attempt": "\(attempt)",
            "next-refresh": "\(next?.rfc3339 ?? "")",
        ]
        if let status = reply.httpStatus { metadata["http-status"] = "\(status)" }
        let upcoming = next.map { " Next refresh \(LocalTime.short($0))." } ?? ""
        switch result.outcome {
        case .updated:
            let content = "\(apps ?? 0) apps, generation \(result.generation ?? "none")"
            logger.log(.refreshUpdated, "The catalog was updated: \(content).\(upcoming)", metadata)
        case .unchanged:
            logger.log(.refreshUnchanged, "The catalog is unchanged.\(upcoming)", metadata)
        case .heldBack:
            metadata["error"] = "\(result.error?.code.rawValue ?? "")"
            logger.log(.refreshHeldBack, "\(result.error?.message ?? "")\(upcoming)", metadata)
        case .failed, .throttled, .started:
            let kept = apps == nil ? "there is no catalog to serve" : "the old catalog is kept"
            metadata["error"] = "\(result.error?.code.rawValue ?? result.outcome.rawValue)"
            logger.log(
                .refreshFailed, "The refresh failed, and \(kept). \(result.error?.message ?? "")\(upcoming)", metadata)
        }
    }

    func offerTaken(apps: Int, generation: String) {
        logger.log(
            .refreshUpdated, "The catalog was set up: \(apps) apps, generation \(generation).",
            ["generation": "\(generation)"])
    }

    func fetchStarted(_ url: HTTPSURL) {
        logger.log(.fetchStarted, "Fetching \(url)", ["url": "\(url)"])
    }

    func configurationReloaded(file: String?) {
        logger.log(
            .configurationReloaded, "The configuration was read again and is in force", ["file": "\(file ?? "none")"])
    }

    func configurationBroken(_ problems: BadConfiguration, hasOld: Bool) {
        logger.log(
            .configurationBroken,
            "The configuration is broken, and \(hasOld ? "the old one stays" : "nothing is fetched"): \(problems)",
            ["error": "bad-configuration"])
    }

    func sampleServed() {
        logger.log(.sampleServed, "No catalog.url is configured, so the sample catalog is served")
    }

    func scheduleForgotten(_ problem: String) {
        logger.log(.scheduleUnreadable, "The refresh schedule is forgotten: \(problem)")
    }

    func scheduleNotStored(_ error: SystemError) {
        logger.log(
            .scheduleNotStored, "The refresh schedule was not written, so a restart may forget the backoff: \(error)",
            ["error": "storage"])
    }

    func routesNotWatched(_ error: SystemError) {
        logger.log(
            .routesNotWatched, "The return of the network will not be noticed, so a retry waits for its time: \(error)"
        )
    }
}
