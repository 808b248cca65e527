import CrossPromoKit
import Observation

let service = PromoService(currentAppID: "finebill")
let shown = Task(executorPreference: PromoExecutor.shared) { @MainActor in
    for await apps in Observations({ service.apps }) where !apps.isEmpty {
        print("More Apps:", apps.map(\.name).joined(separator: ", "))
        for app in apps { service.handleAppImpression(app) }
    }
}
await service.loadApps()
await shown.value
