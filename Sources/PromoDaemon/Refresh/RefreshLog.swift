import Logging
import PromoCore
import PromoWire

/// What the log is told of refreshes and configurations.
struct RefreshLog {
    let logger: Logger

    /// How a fetch ended, and what is served now.
    func fetchEnded(
        _ result: RefreshResult, reply: OriginReply, apps: Int?, attempt: Int, next: Timestamp?
    ) {
        var metadata: Logger.Metadata = [
            "event": "refresh-\(result.outcome.rawValue)", "generation": "\(result.generation ?? "")",
            "attempt": "\(attempt)", "next-refresh": "\(next?.rfc3339 ?? "")",
        ]
        if let status = reply.httpStatus { metadata["http-status"] = "\(status)" }
        if let error = result.error { metadata["error"] = "\(error.code.rawValue)" }
        let upcoming = next.map { " Next refresh \(LocalTime.short($0))." } ?? ""
        switch result.outcome {
        case .updated:
            let content = "\(apps ?? 0) apps, generation \(result.generation ?? "none")"
            logger.info("The catalog was updated: \(content).\(upcoming)", metadata: metadata)
        case .unchanged:
            logger.info("The catalog is unchanged.\(upcoming)", metadata: metadata)
        case .failed, .throttled, .started:
            let kept = apps == nil ? "there is no catalog to serve" : "the catalog at hand is kept"
            let reason = result.error?.message ?? ""
            logger.warning("The refresh failed, and \(kept). \(reason)\(upcoming)", metadata: metadata)
        }
    }

    func fetchStarted(_ url: HTTPSURL) {
        logger.debug("Fetching \(url)", metadata: ["event": "fetch-started", "url": "\(url)"])
    }

    func configurationReloaded(file: String?) {
        logger.info(
            "The configuration was read again and is in force",
            metadata: ["event": "configuration-reloaded", "file": "\(file ?? "none")"])
    }

    func configurationBroken(_ problems: BadConfiguration, hasOld: Bool) {
        logger.error(
            "The configuration is broken, and \(hasOld ? "the old one stays" : "nothing is fetched"): \(problems)",
            metadata: ["event": "configuration-broken", "error": "bad-configuration"])
    }

    func sampleServed() {
        logger.notice(
            "No catalog.url is configured, so the sample catalog is served", metadata: ["event": "sample-served"])
    }

    func scheduleForgotten(_ problem: String) {
        logger.warning("The refresh schedule is forgotten: \(problem)", metadata: ["event": "schedule-unreadable"])
    }

    func scheduleNotStored(_ error: SystemError) {
        logger.warning(
            "A restart may forget the backoff: \(error)", metadata: ["event": "storage-failed", "error": "storage"])
    }

    func routesNotWatched(_ error: SystemError) {
        logger.notice(
            "A network that comes back will not be noticed, and a retry waits for its time: \(error)",
            metadata: ["event": "route-watch-failed"])
    }
}
