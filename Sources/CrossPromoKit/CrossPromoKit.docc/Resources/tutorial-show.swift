import CrossPromoKit

let view = MoreAppsView(currentAppID: "finebill")
await view.show()
