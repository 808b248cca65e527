import PromoWire

/// Reports each app's first impression to promod. Impressions that occur together are sent in one request.
@MainActor
final class ImpressionReport {
    private let config: PromoConfig
    private var seen: Set<String> = []
    private var pending: [String] = []
    private var sending: Task<Void, Never>?

    init(config: PromoConfig) {
        self.config = config
    }

    /// Adds an app that was seen.
    /// - Returns: false if it was added before.
    func add(_ app: String) -> Bool {
        guard seen.insert(app).inserted else { return false }
        pending.append(app)
        if sending == nil {
            sending = Task(executorPreference: PromoExecutor.shared) { await self.send() }
        }
        return true
    }

    func finish() async {
        await sending?.value
    }

    private func send() async {
        while !pending.isEmpty {
            let apps = Array(pending.prefix(ImpressionParameters.maximumApps))
            pending.removeFirst(apps.count)
            await send(apps)
        }
        sending = nil
    }

    /// Sends impressions, once: if promod cannot be reached, they are lost.
    private func send(_ apps: [String]) async {
        do {
            let parameters = ImpressionParameters(apps: apps, host: try config.checkedHost())
            _ = try await config.answer(to: .impression(parameters))
        } catch {
            // promod accepts all or none, so one app that has left the catalog must not lose the impressions of the others.
            guard error.reason == ErrorReason.unknownApp.rawValue, apps.count > 1 else { return }
            for app in apps { await send([app]) }
        }
    }
}
