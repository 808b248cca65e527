// A program with CrossPromoKit that does what its arguments say, writes a line, and then waits for ever, as the suite "library" expects.
import CrossPromoKit
import Dispatch
import FoundationEssentials
import Glibc
import Observation

let words = Array(CommandLine.arguments.dropFirst())
// The host and the timeout are those of the suite.
let config = PromoConfig(currentAppID: "host", loadsIcons: true, timeout: .seconds(2))
let service = PromoService(config: config)
let reviews = AppReviewService(appID: "host", present: { print("page \($0)") })

func say(_ text: String) {
    print(text)
    fflush(nil)
}

@MainActor func call(_ name: String) async {
    switch name {
    case "loadApps": await service.loadApps()
    case "forceRefresh": await service.forceRefresh()
    case "handleAppTap":
        await service.loadApps()
        if let app = service.apps.first { say("tap \(await service.handleAppTap(app))") }
    case "handleAppImpression":
        await service.loadApps()
        for app in service.apps { service.handleAppImpression(app) }
    case "icon":
        await service.loadApps()
        if let app = service.apps.first { say("icon \(await service.icon(of: app)?.count ?? 0)") }
    case "recordLaunch": await reviews.recordLaunch()
    case "isEligible": say("eligible \(await reviews.isEligible(completedWorkoutsCount: 3))")
    case "requestReviewIfEligible": await reviews.requestReviewIfEligible()
    case "exit", "crash":
        service.eventDelegate = exiting
        await MoreAppsView(service: service).run()
    case "handler": await view(beside: SIGTERM)
    case "mistakes":
        await makeMistakes()
        exit(0)
    case "show": await MoreAppsView(service: service).show()
    // As code of the main actor that knows nothing of executors.
    case "plain":
        await service.loadApps()
        await service.forceRefresh()
        if let app = service.apps.first { say("open \(await service.open(app) ?? "")") }
        for app in service.apps { service.handleAppImpression(app) }
        await service.finishImpressions()
    case "follow": Task(executorPreference: PromoExecutor.shared) { await follow() }
    case "events": Task(executorPreference: PromoExecutor.shared) { for await _ in PromoClient().events() {} }
    default: fatalError("no call \(name)")
    }
    say("done \(service.state)")
}

/// Makes each mistake of a developer twice, and draws what people see.
@MainActor func makeMistakes() async {
    let address = URL(string: "http://acme.example/apps.json")
    let configs =
        ["finebil", "FineBill"].map { PromoConfig(currentAppID: $0) }
        + [address].compactMap(\.self).map { PromoConfig(jsonURL: $0, currentAppID: "finebill") }
    for config in configs + configs { await MoreAppsView(config: config).show() }
    for _ in 1...2 { await AppReviewService(appID: "finebill").requestReviewIfEligible() }
}

/// Says what a service has whose catalog promod need not know, with a bundled file if there is one; and, with everything, what comes of each
/// call.
@MainActor func loadOwn(_ address: String, _ bundled: String?, everything: Bool) async {
    guard let url = URL(string: address) else { fatalError("no address") }
    var config = PromoConfig(jsonURL: url, currentAppID: "finebill", bundled: bundled.map { URL(filePath: $0) })
    // A busy machine takes longer than a person would wait.
    config.timeout = .seconds(60)
    config.loadsIcons = everything
    let own = PromoService(config: config)
    await own.loadApps()
    say("own \(own.apps.map(\.id).joined(separator: " "))")
    say("error \(own.error.map { "\($0.message) [\($0.code)]" } ?? "")")
    for await event in PromoClient().events() {
        switch event {
        case .connected where everything: await use(own, config.client)
        case .tap(let app, let host) where everything: say("event \(app) \(host ?? "")")
        default: break
        }
    }
}

/// Calls everything that a host app calls, once there are events.
@MainActor func use(_ own: PromoService, _ client: PromoClient) async {
    guard let app = own.apps.first else { return say("empty") }
    var picture: Data?
    // The pictures come after the list.
    while picture == nil { picture = await own.icon(of: app) }
    say("icon \(picture?.count ?? 0)")
    own.handleAppImpression(app)
    await own.finishImpressions()
    if case .store(let url) = await own.handleAppTap(app) { say("store \(url.absoluteString)") }
    do throws(PromoError) {
        try await client.launch()
        let review = try await client.requestReview(completed: 3)
        say("review \(review.isGranted) \(review.page?.absoluteString ?? "") \(review.reasons)")
    } catch { say("error \(error.message)") }
}

/// Ends the program when a row is seen.
final class Exiting: PromoEventDelegate {
    func promoService(_ service: PromoService, didEmit event: PromoEvent) {
        if words.first == "exit" { exit(3) } else { fatalError() }
    }
}

let exiting = Exiting()

/// Runs the view in a program that handles a signal itself, and says whether it still does afterwards, with the same mask and flags.
@MainActor func view(beside number: Int32) async {
    var own = sigaction()
    own.__sigaction_handler.sa_handler = { _ in _ = write(STDOUT_FILENO, "handled\n", 8) }
    own.sa_flags = SA_NODEFER
    sigaddset(&own.sa_mask, SIGUSR1)
    sigaction(number, &own, nil)
    var (before, after) = (sigaction(), sigaction())
    sigaction(number, nil, &before)
    await MoreAppsView(service: service).run()
    sigaction(number, nil, &after)
    say("same \(describe(before) == describe(after))")
}

/// The handler, the flags and the mask; beyond the kernel's signals, glibc leaves the mask as it finds it.
func describe(_ action: sigaction) -> String {
    var mask = action.sa_mask
    let signals = (1...64).filter { sigismember(&mask, $0) == 1 }
    return "\(unsafeBitCast(action.__sigaction_handler, to: Int.self)) \(action.sa_flags) \(signals)"
}

/// Draws the list whenever it changes.
@MainActor func follow() async {
    let view = MoreAppsView(service: service)
    Task(executorPreference: PromoExecutor.shared) { await service.loadApps() }
    for await drawing in Observations({ view.draw(on: Terminal()) }) { say(drawing) }
}

/// Creates services that all load at once, and says how often all of them have another number of apps.
@MainActor func make(_ count: Int) async {
    // All of them wait for two threads, which may take longer on a busy machine than a person would wait.
    let patient = PromoConfig(currentAppID: "host", loadsIcons: true, timeout: .seconds(60))
    let services = (0..<count).map { _ in PromoService(config: patient) }
    await withDiscardingTaskGroup { group in
        for service in services { group.addTask(executorPreference: PromoExecutor.shared) { await service.loadApps() } }
    }
    var shown = -1
    while true {
        let counts = Set(services.map(\.apps.count))
        if let only = counts.first, counts.count == 1, only != shown, services.allSatisfy({ $0.error == nil }) {
            shown = only
            say("all \(only)")
        }
        // Only this mode polls, and it does not claim to sleep.
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { continuation.resume() }
        }
    }
}

/// Sends many requests at once, from all threads, while others follow the events and ask for reviews.
@concurrent func callAtOnce() async {
    let client = PromoClient(host: "host")
    await withDiscardingTaskGroup { group in
        for number in 0..<400 {
            group.addTask {
                let apps = (try? await client.apps()) ?? []
                if number % 4 == 0 { for await _ in client.events([.tap]) { break } }
                if number % 4 == 1 { _ = try? await client.tap(apps.first?.id ?? "") }
                if number % 4 == 2 { _ = await reviews.isEligible(completedWorkoutsCount: number) }
                if number % 4 == 3 { await PromoService(config: config).loadApps() }
            }
        }
    }
    exit(0)
}

/// The main loop of a program that knows nothing of Swift.
func loop(servesMainQueue: Bool) -> Never {
    var poller = pollfd(fd: servesMainQueue ? MainQueue.descriptor : -1, events: Int16(POLLIN), revents: 0)
    while true {
        poll(&poller, 1, -1)
        if poller.revents != 0 { MainQueue.run() }
    }
}

switch words.first {
case "plain": Task { @MainActor in await call("plain") }
case "many": Task { await callAtOnce() }
case "services": Task(executorPreference: PromoExecutor.shared) { await make(Int(words[1]) ?? 1) }
case "bridge":
    Task(executorPreference: PromoExecutor.shared) { await call(words[1]) }
    loop(servesMainQueue: true)
case "nobody":
    Task.detached {
        await service.loadApps()
        say("returned")
    }
    loop(servesMainQueue: false)
case "own", "everything":
    Task(executorPreference: PromoExecutor.shared) {
        await loadOwn(words[1], words.count > 2 ? words[2] : nil, everything: words[0] == "everything")
    }
default: Task(executorPreference: PromoExecutor.shared) { await call(words.first ?? "loadApps") }
}
dispatchMain()
