import CrossPromoKit

let service = PromoService(currentAppID: "finebill")
await service.loadApps()
for (number, app) in service.apps.enumerated() {
    print(number + 1, app.name, app.tagline.localized)
}
