#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <stddef.h>
#include <sys/uio.h>

// libsystemd. Thin wrappers without policy: each returns what its function in libsystemd returns, or -ENOSYS without the library.
// The library is loaded at the first call that needs it. Linked, it and the six libraries that it needs would cost each start a
// millisecond, that of the process that fetches too, which has no use for them.

/// The name of the library's file, which has the version of its interface; NULL without the library.
const char *promod_systemd_file(void);

/// sd_notify(3), which keeps the environment. Returns 0 if there is no service manager, a positive number if the state was sent,
/// and a negative errno on failure.
int promod_notify(const char *state);

/// sd_listen_fds(3): the number of inherited descriptors, the first of which is 3. It unsets the variables, which children must
/// not take for theirs.
int promod_listen_fds(void);

/// sd_is_socket_unix(3) for a listening stream socket; positive if the descriptor is one.
int promod_is_listening_unix_socket(int descriptor);

/// sd_journal_sendv(3). It blocks while journald does not read.
int promod_journal_send(const struct iovec *fields, size_t count);

#endif
