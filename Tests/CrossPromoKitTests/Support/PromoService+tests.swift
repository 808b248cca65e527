import CrossPromoKit
import Observation
import PromoTestSupport

extension PromoService {
    /// A service of a scripted daemon, for the app `finebill`.
    convenience init(
        of daemon: ScriptedDaemon, jsonURL: String? = nil, language: String? = nil, timeout: Duration = .seconds(600),
        eventDelegate: (any PromoEventDelegate)? = nil
    ) throws {
        let config = PromoConfig(
            catalog: try jsonURL.map { PromoCatalog.url(try url($0)) }, currentAppID: "finebill",
            socketPath: daemon.path,
            language: language, timeout: timeout)
        self.init(config: config, eventDelegate: eventDelegate)
    }

    /// The ids of the apps in the list.
    var ids: [String] { apps.map(\.id) }

    /// Returns when a condition holds, or when the task is cancelled, as it is if a test takes too long.
    func comes(to condition: @escaping @MainActor @Sendable (PromoService) -> Bool) async {
        for await isSo in Observations({ condition(self) }) where isSo { return }
    }
}
