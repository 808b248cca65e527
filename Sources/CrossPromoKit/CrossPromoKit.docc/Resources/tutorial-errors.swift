import CrossPromoKit
import Observation

let service = PromoService(currentAppID: "finebill")
let shown = Task(executorPreference: PromoExecutor.shared) { @MainActor in
    for await (apps, error) in Observations({ (service.apps, service.error) }) {
        if !apps.isEmpty { print("More Apps:", apps.map(\.name).joined(separator: ", ")) }
        for app in apps { service.handleAppImpression(app) }
        if let error { print(error.errorDescription ?? "", error.recoverySuggestion ?? "") }
    }
}
await service.loadApps()
await shown.value
