#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <stddef.h>
#include <sys/uio.h>

// Wrappers of libsystemd without policy: each returns the result of its function, or -ENOSYS without the library.
// The library is loaded at the first call that needs it. If it were linked, it and its six dependencies would cost each start a
// millisecond, also that of the process that fetches, which does not use them.

/// sd_notify(3), which leaves the environment unchanged. Returns 0 without a service manager, a positive number if the state was sent,
/// and a negative errno on failure.
int promod_notify(const char *state);

/// sd_listen_fds(3): the number of inherited descriptors, the first of which is 3. It unsets the variables, so that children do not take
/// the descriptors for theirs.
int promod_listen_fds(void);

/// sd_is_socket_unix(3) for a listening stream socket; positive if the descriptor is one.
int promod_is_listening_unix_socket(int descriptor);

/// sd_journal_sendv(3). It blocks while journald does not read.
int promod_journal_send(const struct iovec *fields, size_t count);

#endif
