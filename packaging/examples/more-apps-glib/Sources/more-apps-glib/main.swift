// "More Apps" of an app in a program whose main loop is GLib's, as GTK's is. It lists the apps of its host, opens the one whose number is
// typed, and shows what changes. Usage: more-apps-glib HOST
import CGLib
import CrossPromoKit
import Glibc
import Observation

let host = CommandLine.arguments.dropFirst().first ?? "finebill"
let service = PromoService(config: PromoConfig(currentAppID: host))
let view = MoreAppsView(service: service)

/// Writes at once, also to a pipe.
func say(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
}

/// Shows the list whenever it changes, and tells promod which rows were seen.
@MainActor func show() async {
    var shown = ""
    // Also when only the error changes, which is below the rows.
    for await text in Observations({ view.draw(on: .standardOutput) }) where text != shown {
        say(text + "\n")
        if let error = service.error { say("Trying again: \(error.message)\n") }
        shown = text
        for app in service.apps { service.handleAppImpression(app) }
    }
}

/// Opens the app of a line's number. A tap has a page even if promod is away.
@MainActor func tap(_ line: String) async {
    guard let number = Int(line), service.apps.indices.contains(number - 1) else { return }
    switch await service.handleAppTap(service.apps[number - 1]) {
    case .store(let url): if await !StoreOpener.open(url) { say("Open \(url)\n") }
    case .offline(let message, _): say("\(message)\n")
    }
}

// GLib's loop serves Swift's main queue: without these lines no task on the main actor ever begins.
_ = g_unix_fd_add(
    MainQueue.descriptor, G_IO_IN,
    { _, _, _ in
        MainQueue.run()
        return 1  // G_SOURCE_CONTINUE
    }, nil)

// A typed number is a tap. At the end of the input, only the list goes on.
_ = g_unix_fd_add(
    STDIN_FILENO, G_IO_IN,
    { _, _, _ in
        guard let line = readLine() else { return 0 }
        Task(executorPreference: PromoExecutor.shared) { await tap(line) }
        return 1
    }, nil)

// With this executor, the program sleeps between two changes. The service follows promod by itself, also a promod that starts again.
Task(executorPreference: PromoExecutor.shared) { await show() }
Task(executorPreference: PromoExecutor.shared) { await service.loadApps() }
g_main_loop_run(g_main_loop_new(nil, 0))
