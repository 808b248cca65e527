// "More Apps" in a window of libadwaita that keeps up to date. Usage: more-apps-gtk-swift HOST
import CAdwaita
import CrossPromoKit
import Glibc
import Observation

let host = CommandLine.arguments.dropFirst().first ?? "finebill"
let service = PromoService(config: PromoConfig(currentAppID: host, loadsIcons: true))
// Your app counts what went well for the person.
let reviews = AppReviewService(appID: host, completedWorkoutsCount: { 3 })
var shown: [PromoApp] = []  // The apps whose rows are in the list.

/// The objects that a file describes, by their ids.
final class Made {
    private let builder: OpaquePointer

    init(_ file: [UInt8]) { builder = gtk_builder_new_from_string(String(decoding: file, as: UTF8.self), -1) }
    isolated deinit { g_object_unref(UnsafeMutableRawPointer(builder)) }

    /// An object as one of its types, for which C has macros such as `GTK_BOX`.
    subscript<Kind>(id: String) -> UnsafeMutablePointer<Kind> { self[id].assumingMemoryBound(to: Kind.self) }
    subscript(id: String) -> OpaquePointer { OpaquePointer(self[id] as UnsafeMutableRawPointer) }
    subscript(id: String) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(gtk_builder_get_object(builder, id)!) }
}

adw_init()
let ui = Made(PackageResources.window_ui)

/// Performs work on the main thread. With this executor, the program sleeps between two changes.
func perform(_ work: @escaping @MainActor () async -> Void) {
    Task(executorPreference: PromoExecutor.shared, operation: work)
}

/// Shows the apps, or why there are none, and the banner while there is more to say.
func show(_ apps: [PromoApp], _ notice: String, canRetry: Bool) {
    let changes = apps.difference(from: shown)
    for case .remove(let index, _, _) in changes {
        gtk_list_box_remove(ui["list"], widget(gtk_list_box_get_row_at_index(ui["list"], Int32(index))))
    }
    for case .insert(let index, let app, _) in changes { insert(app, at: Int32(index)) }
    shown = apps
    adw_preferences_row_set_title(ui["age"], notice)
    gtk_revealer_set_reveal_child(ui["banner"], apps.isEmpty || notice.isEmpty ? 0 : 1)
    adw_status_page_set_title(ui["status"], notice)
    for button in ["update", "again"] { gtk_widget_set_visible(ui[button], canRetry ? 1 : 0) }
    gtk_stack_set_visible_child(ui["pages"], !apps.isEmpty ? ui["view"] : notice.isEmpty ? ui["spinner"] : ui["status"])
}

/// Adds a row, which has the placeholder until its picture comes.
func insert(_ app: PromoApp, at index: Int32) {
    let row = Made(PackageResources.row_ui), category = app.localizedCategory.localized, tagline = app.tagline.localized
    adw_preferences_row_set_title(row["row"], app.name)
    adw_action_row_set_subtitle(row["row"], "\(category)\n\(tagline)")
    set_accessible_description(row["row"], "\(category), \(tagline)")
    let tile = app.placeholder, pixels = (0..<48 * 48).flatMap { _ in [tile.red, tile.green, tile.blue] }
    let bytes = g_bytes_new(pixels, UInt(pixels.count))
    let color = gdk_memory_texture_new(48, 48, GDK_MEMORY_R8G8B8, bytes, 3 * 48)!
    gtk_image_set_from_paintable(row["picture"], color)
    gtk_label_set_text(row["initials"], tile.initials)
    g_object_unref(UnsafeMutableRawPointer(color))
    g_bytes_unref(bytes)
    gtk_list_box_insert(ui["list"], row["row"], index)
    perform {
        guard let data = await service.icon(of: app) else { return }
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        guard let texture = gdk_texture_new_from_bytes(bytes, nil) else { return }
        gtk_image_set_from_paintable(row["picture"], texture)
        gtk_widget_set_visible(row["initials"], 0)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}

/// The row as a widget.
func widget(_ row: UnsafeMutablePointer<GtkListBoxRow>!) -> UnsafeMutablePointer<GtkWidget> {
    UnsafeMutableRawPointer(row).assumingMemoryBound(to: GtkWidget.self)
}

/// Says a sentence, if there is one, in a toast, from which an address can be copied.
func say(_ text: String?) {
    guard let text, let toast = adw_toast_new(""), let label = gtk_label_new(text) else { return }
    let wrapped = OpaquePointer(label)
    gtk_label_set_wrap(wrapped, 1)
    gtk_label_set_wrap_mode(wrapped, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_selectable(wrapped, 1)
    adw_toast_set_custom_title(toast, label)
    adw_toast_set_timeout(toast, 10)
    adw_toast_overlay_add_toast(ui["toasts"], toast)
}

let application = adw_application_new("org.example.MoreApps", G_APPLICATION_NON_UNIQUE)!
on_signal(application, "activate") { application, _ in
    gtk_window_set_application(ui["window"], application!.assumingMemoryBound(to: GtkApplication.self))
    for button in ["update", "again"] {
        gtk_button_set_label(ui[button], service.retryTitle)
        on_signal(ui[button], "clicked") { _, _ in perform { say(await service.forceRefresh()) } }
    }
    on_signal(ui["list"], "row-activated") { _, row in
        let app = shown[Int(gtk_list_box_row_get_index(row!.assumingMemoryBound(to: GtkListBoxRow.self)))]
        perform { say(await service.open(app)) }
    }
    gtk_window_present(ui["window"])
    // After each frame, the rows whose middle is in view have been seen.
    on_signal(UnsafeMutableRawPointer(gtk_widget_get_frame_clock(ui["window"])), "after-paint") { _, _ in
        for (index, app) in shown.enumerated() {
            let row = widget(gtk_list_box_get_row_at_index(ui["list"], Int32(index)))
            var box = graphene_rect_t(), middle = graphene_point_t()
            guard gtk_widget_compute_bounds(row, ui["view"], &box) != 0 else { return }
            graphene_rect_get_center(&box, &middle)
            if (0...Float(gtk_widget_get_height(ui["view"]))).contains(middle.y) { service.handleAppImpression(app) }
        }
    }
    perform {
        let changes = Observations { (service.apps, service.notice ?? "", service.canRetry) }
        for await (apps, notice, canRetry) in changes { show(apps, notice, canRetry: canRetry) }
    }
    perform {
        await reviews.recordLaunch()
        await service.loadApps()
        await reviews.requestReviewIfEligible()  // In your app, when the person has just finished something.
    }
}
// GTK's loop serves Swift's main queue: without this, no task on the main actor ever begins.
_ = g_unix_fd_add(MainQueue.descriptor, G_IO_IN, { _, _, _ in
    MainQueue.run()
    return 1  // G_SOURCE_CONTINUE
}, nil)
exit(g_application_run(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil))
