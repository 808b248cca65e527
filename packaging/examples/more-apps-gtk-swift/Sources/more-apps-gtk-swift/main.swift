// "More Apps" in a window of GTK 4 that keeps up to date. Usage: more-apps-gtk-swift HOST
import CGtk
import CrossPromoKit
import Observation

let host = CommandLine.arguments.dropFirst().first ?? "finebill"
let service = PromoService(config: PromoConfig(currentAppID: host, loadsIcons: true))
// Your app counts what went well for the person.
let reviews = AppReviewService(appID: host, completedWorkoutsCount: { 3 })
var shown: [PromoApp] = []  // The apps whose rows are in the list.

/// Performs work on the main thread. With this executor, the program sleeps between two changes.
func perform(_ work: @escaping @MainActor () async -> Void) {
    Task(executorPreference: PromoExecutor.shared, operation: work)
}

/// Shows a sentence in the bar, or no bar.
func say(_ text: String) {
    gtk_label_set_text(notice.cast(), text)
    gtk_widget_set_visible(notice, text.isEmpty ? 0 : 1)
}

gtk_init()
let window = makeWindow()
gtk_window_present(window.cast())
on_signal(retry, "clicked") { _, _ in perform { if let problem = await service.forceRefresh() { say(problem) } } }
on_signal(list, "row-activated") { _, row in
    let app = shown[Int(gtk_list_box_row_get_index(row!.assumingMemoryBound(to: GtkListBoxRow.self)))]
    perform { if let problem = await service.open(app) { say(problem) } }
}
// After each frame, the rows in view have been seen. None is lower than its picture.
on_signal(UnsafeMutableRawPointer(gtk_widget_get_frame_clock(window)), "after-paint") { _, _ in
    let view = gtk_scrolled_window_get_vadjustment(scroller.cast()), top = gtk_adjustment_get_value(view)
    for height in stride(from: top, to: top + gtk_adjustment_get_page_size(view), by: 48) {
        guard let row = gtk_list_box_get_row_at_y(list.cast(), Int32(height)) else { return }
        service.handleAppImpression(shown[Int(gtk_list_box_row_get_index(row))])
    }
}

perform {
    for await (apps, text, canRetry) in Observations({ (service.apps, service.notice ?? "", service.canRetry) }) {
        let changes = apps.difference(from: shown)
        for case .remove(let index, _, _) in changes {
            gtk_list_box_remove(list.cast(), gtk_list_box_get_row_at_index(list.cast(), Int32(index))!.cast())
        }
        for case .insert(let index, let app, _) in changes { gtk_list_box_insert(list.cast(), row(app), Int32(index)) }
        shown = apps
        say(text)
        gtk_widget_set_visible(retry, canRetry ? 1 : 0)
    }
}
perform {
    await reviews.recordLaunch()
    await service.loadApps()
    await reviews.requestReviewIfEligible()  // In your app, when the person has just finished something.
}
// GTK's loop serves Swift's main queue: without this, no task on the main actor ever begins.
_ = g_unix_fd_add(MainQueue.descriptor, G_IO_IN, { _, _, _ in
    MainQueue.run()
    return 1  // G_SOURCE_CONTINUE
}, nil)
while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
