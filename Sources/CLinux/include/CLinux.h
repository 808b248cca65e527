#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

// The kernel's interfaces that Swift does not see. Thin, without policy: each function returns what the call below it returned.

/// A descriptor that is ready, and for what: the kernel's EPOLLIN and so on.
struct promod_ready {
    int descriptor;
    uint32_t events;
};

/// epoll_create1(2), closed on exec.
int promod_epoll_create(void);

/// epoll_ctl(2), level-triggered; `operation` is EPOLL_CTL_ADD (1), EPOLL_CTL_DEL (2) or EPOLL_CTL_MOD (3).
int promod_epoll_set(int epoll, int operation, int descriptor, uint32_t events);

/// epoll_wait(2) for at most 64 descriptors; the timeout in milliseconds, -1 for none.
int promod_epoll_wait(int epoll, struct promod_ready *ready, int count, int timeout);

/// eventfd(2), non-blocking and closed on exec.
int promod_eventfd(void);

/// clock_gettime(2) of the clock that nobody sets, CLOCK_MONOTONIC, in milliseconds.
int64_t promod_monotonic_milliseconds(void);

/// accept4(2), non-blocking and closed on exec.
int promod_accept(int descriptor);

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
