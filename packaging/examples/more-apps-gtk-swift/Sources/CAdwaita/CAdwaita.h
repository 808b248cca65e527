#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#include <adwaita.h>
#include <glib-unix.h>

// What Swift does not import: macros, and functions with any number of arguments.

static inline void on_signal(gpointer object, const char *signal, void (*handler)(gpointer object, gpointer argument)) {
    g_signal_connect(object, signal, G_CALLBACK(handler), NULL);
}

static inline void set_accessible_description(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
