// Journal records name the place in the Swift code; without this, the place of the call below would be added.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "CSystemd.h"

#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

int promod_notify(const char *state) { return sd_notify(0, state); }

int promod_listen_fds(void) { return sd_listen_fds(1); }

int promod_is_listening_unix_socket(int descriptor) {
    return sd_is_socket_unix(descriptor, SOCK_STREAM, 1, NULL, 0);
}

int promod_journal_send(const struct iovec *fields, size_t count) { return sd_journal_sendv(fields, (int)count); }
