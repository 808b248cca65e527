#define _GNU_SOURCE
// Journal records name the location in the Swift code; without this, the location of the call below would be added.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "CSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

static struct {
    __typeof__(&sd_notify) notify;
    __typeof__(&sd_listen_fds) listen_fds;
    __typeof__(&sd_is_socket_unix) is_socket_unix;
    __typeof__(&sd_journal_sendv) journal_sendv;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libsystemd.so.0", RTLD_LAZY);
    if (!handle) return;
    library.notify = (__typeof__(&sd_notify))dlsym(handle, "sd_notify");
    library.listen_fds = (__typeof__(&sd_listen_fds))dlsym(handle, "sd_listen_fds");
    library.is_socket_unix = (__typeof__(&sd_is_socket_unix))dlsym(handle, "sd_is_socket_unix");
    library.journal_sendv = (__typeof__(&sd_journal_sendv))dlsym(handle, "sd_journal_sendv");
}

#define CALL(name, ...) (pthread_once(&once, load), library.name ? library.name(__VA_ARGS__) : -ENOSYS)

int promod_notify(const char *state) { return CALL(notify, 0, state); }

int promod_listen_fds(void) { return getenv("LISTEN_FDS") ? CALL(listen_fds, 1) : 0; }

int promod_is_listening_unix_socket(int descriptor) {
    return CALL(is_socket_unix, descriptor, SOCK_STREAM, 1, NULL, 0);
}

int promod_journal_send(const struct iovec *fields, size_t count) { return CALL(journal_sendv, fields, (int)count); }
