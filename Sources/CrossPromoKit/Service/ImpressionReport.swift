import PromoWire

/// Tells promod of impressions, those that come together in one request, and remembers which were told.
@MainActor
final class ImpressionReport {
    private let config: PromoConfig
    private var seen: Set<String> = []
    private var pending: [String] = []
    private var sending: Task<Void, Never>?

    init(config: PromoConfig) {
        self.config = config
    }

    /// Takes an app that was seen; false where it was seen before.
    func add(_ app: String) -> Bool {
        guard seen.insert(app).inserted else { return false }
        pending.append(app)
        if sending == nil {
            sending = Task { await send() }
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

    /// An impression that promod cannot be told of is lost; the list does not wait for it, nor does it come twice.
    private func send(_ apps: [String]) async {
        do {
            let parameters = ImpressionParameters(apps: apps, host: try config.checkedHost())
            _ = try await config.client.answer(to: .impression(parameters))
        } catch {
            // All or none: one app that has left the catalog must not take the others along.
            guard error.reason == ErrorReason.unknownApp.rawValue, apps.count > 1 else { return }
            for app in apps { await send([app]) }
        }
    }
}
