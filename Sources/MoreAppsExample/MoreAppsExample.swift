import CrossPromoKit
import Dispatch
import Glibc
import Observation

/// "More Apps" of one app in a terminal: the list whenever it changes, what happens to it, and a line of commands.
@main
@MainActor
struct MoreAppsExample {
    static func main() async {
        let host = CommandLine.arguments.dropFirst().first ?? "finebill"
        print("More Apps of \(host). A number taps a row, r refreshes, s shows every state, q quits.")
        let log = PrintedEvents()
        let view = MoreAppsView(config: PromoConfig(currentAppID: host), eventDelegate: log)
        let shown = Task { await show(view) }
        await view.service.loadApps()
        for await line in StandardInput.lines() {
            if line == "q" { break }
            await carryOut(line, view)
        }
        shown.cancel()
    }

    /// Prints the list each time that it changes, with the state that it is in and, as a host app would log it, the error.
    private static func show(_ view: MoreAppsView) async {
        for await state in Observations({ (view.service.state, view.service.apps, view.service.error) }) {
            print("\n[\(state.0)]\n\(view.draw(on: .standardOutput))", terminator: "")
            if let error = state.2 { print("error: \(error.message)") }
            for app in view.service.apps { view.service.handleAppImpression(app) }
        }
    }

    private static func carryOut(_ line: String, _ view: MoreAppsView) async {
        let service = view.service
        switch line {
        case "r": await service.forceRefresh()
        case "s": AllStates.show()
        default:
            guard let number = Int(line), (1...max(service.apps.count, 1)).contains(number), !service.apps.isEmpty
            else {
                return print("A number of a row, r, s or q.")
            }
            switch await service.handleAppTap(service.apps[number - 1]) {
            case .store(let url): print("To the store: \(url)")
            case .offline(let message, _): print(message)
            }
        }
    }
}

/// The host app's own log of what happens to its rows.
final class PrintedEvents: PromoEventDelegate {
    func promoService(_ service: PromoService, didEmit event: PromoEvent) {
        switch event {
        case .impression(let appID): print("event: \(appID) was seen")
        case .tap(let appID): print("event: \(appID) was tapped")
        }
    }
}
