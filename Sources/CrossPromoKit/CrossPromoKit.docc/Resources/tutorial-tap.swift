import CrossPromoKit

let service = PromoService(currentAppID: "finebill")
await service.loadApps()
for (number, app) in service.apps.enumerated() {
    print(number + 1, app.name, app.tagline.localized)
}

if let number = readLine().flatMap({ Int($0) }), service.apps.indices.contains(number - 1) {
    switch await service.handleAppTap(service.apps[number - 1]) {
    case .store(let url):
        if await !StoreOpener.open(url) { print("Open \(url)") }
    case .offline(let message, _):
        print(message)
    }
}
