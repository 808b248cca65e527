import CrossPromoKit
import FoundationEssentials

/// "More Apps" of one app in a terminal: `more-apps-example HOST`, or `--states` for the view in each state that it can be in.
@main
@MainActor
struct MoreAppsExample {
    static func main() async {
        switch CommandLine.arguments.dropFirst().first ?? "finebill" {
        case "--states": AllStates.show()
        case let host: await MoreAppsView(currentAppID: host).run()
        }
    }
}

/// The view in each state that it can be in, without a daemon.
@MainActor
enum AllStates {
    static func show() {
        let apps = [bookary].compactMap(\.self)
        let error = PromoError(.daemonUnreachable, message: "promod cannot be reached.")
        let services: [PromoService] = [
            .preview(), .preview(.loading), .preview(.loaded, apps: apps),
            .preview(.loaded, apps: apps, source: .sample),
            .preview(.cached, apps: apps, fetchedAt: Date()), .preview(.cached, apps: apps, error: error),
            .preview(.empty(canRetry: true)), .preview(.empty(canRetry: false)),
            .preview(.empty(canRetry: true), error: error),
        ]
        for service in services {
            print("\n[\(service.state)]\n\(MoreAppsView(service: service).draw(on: .standardOutput))", terminator: "")
        }
    }

    private static var bookary: PromoApp? {
        guard let icon = URL(string: "https://example.com/bookary.png"),
            let store = URL(string: "https://apps.apple.com/app/id6470000002")
        else { return nil }
        return PromoApp(
            id: "bookary", name: "Bookary", appStoreID: "6470000002", iconURL: icon,
            category: LocalizedText(en: "Reading", ko: "독서", ja: "読書"),
            tagline: LocalizedText(en: "A diary for the books you read", ko: "읽은 책을 기록하는 다이어리", ja: "読んだ本を残す読書日記"),
            storeURL: store,
            placeholder: IconPlaceholder(initials: "Bo", red: 175, green: 95, blue: 0))
    }
}
