import PromoWire

/// Reports each app's first impression to promod. Impressions that occur together are sent in one request, and once promod can take them.
@MainActor
final class ImpressionReport {
    private let client: PromoClient
    private var seen: Set<String> = []
    private var pending: [String] = []
    private var sending: Task<Void, Never>?

    init(_ client: PromoClient) {
        self.client = client
    }

    /// Adds an app that was seen.
    /// - Returns: false if it was added before.
    func add(_ app: String) -> Bool {
        guard seen.insert(app).inserted else { return false }
        pending.append(app)
        send()
        return true
    }

    /// Returns when all were sent, or could not be.
    func finish() async {
        send()
        await sending?.value
    }

    /// Sends what is pending, unless that is under way.
    func send() {
        guard sending == nil, !pending.isEmpty else { return }
        sending = Task(executorPreference: PromoExecutor.shared) { await self.sendAll() }
    }

    private func sendAll() async {
        while !pending.isEmpty {
            let apps = Array(pending.prefix(ImpressionParameters.maximumApps))
            let left = await report(apps)
            pending.replaceSubrange(..<apps.count, with: left)
            if !left.isEmpty { break }
        }
        sending = nil
    }

    /// Reports impressions. What may have arrived is not sent again, because it would count twice.
    /// - Returns: those that promod cannot take now.
    private func report(_ apps: [String]) async -> [String] {
        do {
            try await client.impression(apps)
            return []
        } catch {
            let waits: [String?] = [ErrorReason.busy, .noCatalog].map(\.rawValue) + [PromoError.notSent]
            if error.code == .daemonUnreachable || waits.contains(error.reason) { return apps }
            // promod accepts all or none, so one app that has left the catalog must not lose the impressions of the others.
            guard error.reason == ErrorReason.unknownApp.rawValue, apps.count > 1 else { return [] }
            var left: [String] = []
            for app in apps { left += await report([app]) }
            return left
        }
    }
}
