import CrossPromoKit

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
