#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

// libsystemd and the few kernel interfaces that Swift does not see. Thin, without policy: each function returns what the
// call below it returned.

/// sd_notify(3), keeping the environment. 0 where nobody supervises, positive when sent, a negative errno on failure.
int promod_notify(const char *state);

/// sd_listen_fds(3): how many descriptors were inherited, from 3 on; it unsets the variables, so that no child believes them.
int promod_listen_fds(void);

/// sd_is_socket_unix(3) for a listening stream socket: positive where the descriptor is one.
int promod_is_listening_unix_socket(int descriptor);

/// sd_journal_sendv(3). It blocks while journald does not read.
int promod_journal_send(const struct iovec *fields, size_t count);

/// The peer of a Unix-domain socket at the time of connect: the kernel's struct ucred under a name that Swift sees.
struct promod_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/// A non-blocking netlink socket that hears of changes to routes; -1 and errno on failure.
int promod_open_route_socket(void);

/// Reads all messages waiting on a route socket: 1 where a default route was added or messages were lost, else 0.
int promod_read_default_route_added(int descriptor);

/// Whether the kernel has a route to a global address in either family. It sends nothing.
int promod_has_global_route(void);

/// Denies the calling thread, and all that it will start, to list /proc, and by landlock(7)'s rule for ptrace to look into any
/// other process: its memory, environment, descriptors. From Linux 6.12 on it can send no signal to processes that it did not start
/// either, and connect to none of their abstract sockets. 0 where that is in force; -1 where the kernel has no Landlock or refuses.
int promod_hide_other_processes(void);

/// prctl(2), PR_SET_PDEATHSIG: SIGTERM for this process when the thread that started it ends.
void promod_end_with_parent(void);

/// Whether the kernel holds its clock to be synchronized, by adjtimex(2).
int promod_is_clock_synchronized(void);

/// mallopt(3): large blocks are mapped one by one and unmapped when they are freed, and threads share two arenas.
void promod_set_up_memory(void);

/// malloc_trim(3) of everything that is free.
void promod_give_back_memory(void);

#endif
