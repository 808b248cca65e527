import CGtk
import CrossPromoKit

// Swift makes these when they are first used, which is after gtk_init().
let list = gtk_list_box_new()!, scroller = gtk_scrolled_window_new()!
let notice = label("", style: "dim-label"), retry = gtk_button_new_with_label(service.retryTitle)!

extension UnsafeMutablePointer {
    /// The object as another of its types, for which C has macros such as `GTK_BOX`.
    func cast<Kind>() -> UnsafeMutablePointer<Kind> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Kind.self) }
    func cast() -> OpaquePointer { OpaquePointer(self) }
}

/// A window with the list, and a bar below it: the notice and the button.
func makeWindow() -> UnsafeMutablePointer<GtkWidget> {
    let window = gtk_window_new()!, content = gtk_grid_new()!
    gtk_scrolled_window_set_child(scroller.cast(), list)
    gtk_widget_add_css_class(list, "rich-list")
    gtk_label_set_wrap(notice.cast(), 1)
    gtk_label_set_lines(notice.cast(), 6)
    for widget in [notice, list] { gtk_widget_set_hexpand(widget, 1) }
    gtk_widget_set_vexpand(list, 1)
    gtk_widget_set_valign(retry, GTK_ALIGN_CENTER)
    gtk_grid_attach(content.cast(), scroller, 0, 0, 2, 1)
    gtk_grid_attach(content.cast(), notice, 0, 1, 1, 1)
    gtk_grid_attach(content.cast(), retry, 1, 1, 1, 1)
    gtk_window_set_child(window.cast(), content)
    gtk_window_set_title(window.cast(), "More Apps")
    gtk_window_set_default_size(window.cast(), 440, 480)
    return window
}

/// A row of the list, whose picture comes later.
func row(_ app: PromoApp) -> UnsafeMutablePointer<GtkWidget> {
    let row = gtk_grid_new()!, picture = gtk_image_new()!
    let name = label(app.name, style: "heading"), category = label(app.localizedCategory.localized, style: "dim-label")
    gtk_widget_set_hexpand(name, 1)
    gtk_image_set_pixel_size(picture.cast(), 48)
    gtk_grid_attach(row.cast(), picture, 0, 0, 1, 2)
    gtk_grid_attach(row.cast(), name, 1, 0, 1, 1)
    gtk_grid_attach(row.cast(), category, 2, 0, 1, 1)
    gtk_grid_attach(row.cast(), label(app.tagline.localized, style: "body"), 1, 1, 2, 1)
    g_object_ref(picture)  // Its row may leave the list meanwhile.
    perform {
        defer { g_object_unref(picture) }
        guard let data = await service.icon(of: app) else { return }
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        guard let texture = gdk_texture_new_from_bytes(bytes, nil) else { return }
        gtk_image_set_from_paintable(picture.cast(), texture)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
    return row
}

/// A label that shortens a text rather than widen the window.
func label(_ text: String, style: String) -> UnsafeMutablePointer<GtkWidget> {
    let label = gtk_label_new(text)!
    gtk_label_set_xalign(label.cast(), 0)
    gtk_label_set_ellipsize(label.cast(), PANGO_ELLIPSIZE_END)
    gtk_widget_add_css_class(label, style)
    gtk_widget_set_margin_start(label, 12)
    return label
}
