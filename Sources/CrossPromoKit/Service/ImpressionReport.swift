import PromoWire

/// Reports each app's first impression to promod. Impressions that occur together are sent in one request, and again if promod was away.
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
            guard await report(apps) else { break }
            pending.removeFirst(apps.count)
        }
        sending = nil
    }

    /// Reports impressions.
    /// - Returns: false if they have to be sent again, because promod is away.
    private func report(_ apps: [String]) async -> Bool {
        do {
            try await client.impression(apps)
        } catch {
            if [.daemonUnreachable, .connectionLost, .timedOut, .cancelled].contains(error.code) { return false }
            // promod accepts all or none, so one app that has left the catalog must not lose the impressions of the others.
            guard error.reason == ErrorReason.unknownApp.rawValue, apps.count > 1 else { return true }
            for app in apps { _ = await report([app]) }
        }
        return true
    }
}
