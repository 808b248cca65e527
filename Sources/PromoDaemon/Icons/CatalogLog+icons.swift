import Logging
import PromoCore
import PromoWire

extension CatalogLog {
    func iconsForgotten(_ reason: StoredFile<IconBook>.Problem) {
        self(.iconsForgotten, "The icons are forgotten, and are fetched again when a client asks for them: \(reason)")
    }

    func iconsNotWritten(_ message: String) {
        self(.iconsFailed, message, ["error": "storage", "count": "0"])
    }

    func iconsFetched(_ run: IconRun) {
        if run.arrivals > 0 { self(.iconsStored, "\(run.arrivals.counting("icon")) came.") }
        guard let failed = run.failed else { return }
        let count = failed.count + run.skipped.count
        let skipped =
            run.skipped.isEmpty ? "" : " \(run.skipped.count) of them were not tried, because others failed before."
        self(
            .iconsFailed,
            "\(count.counting("icon")) could not be fetched or stored, and the first because: \(failed.first)\(skipped)",
            ["count": "\(count)"])
    }
}
