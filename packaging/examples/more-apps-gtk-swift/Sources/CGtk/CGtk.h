#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#include <glib-unix.h>
#include <gtk/gtk.h>

/// Calls a function with the object and the first argument of its signal. Swift does not import GLib's macro for this.
static inline void on_signal(gpointer object, const char *signal, void (*handler)(gpointer object, gpointer argument)) {
    g_signal_connect(object, signal, G_CALLBACK(handler), NULL);
}
