#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <stddef.h>
#include <sys/uio.h>

// libsystemd. Thin, without policy: each function returns what the call below it returned.

/// sd_notify(3), keeping the environment. 0 where nobody supervises, positive when sent, a negative errno on failure.
int promod_notify(const char *state);

/// sd_listen_fds(3): how many descriptors were inherited, from 3 on; it unsets the variables, so that no child believes them.
int promod_listen_fds(void);

/// sd_is_socket_unix(3) for a listening stream socket: positive where the descriptor is one.
int promod_is_listening_unix_socket(int descriptor);

/// sd_journal_sendv(3). It blocks while journald does not read.
int promod_journal_send(const struct iovec *fields, size_t count);

#endif
