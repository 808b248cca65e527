#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

// Kernel interfaces that Swift cannot import. The wrappers have no policy: unless noted, each returns what its system call returns.

/// A descriptor that is ready, and its events: EPOLLIN and so on.
struct promod_ready {
    int descriptor;
    uint32_t events;
};

/// Exchanges two files atomically (renameat2(2)).
/// Returns: 0, or -1 with errno.
int promod_exchange(const char *path, const char *other);

/// epoll_create1(2), closed on exec.
int promod_epoll_create(void);

/// epoll_ctl(2), level-triggered; `operation` is EPOLL_CTL_ADD (1), EPOLL_CTL_DEL (2) or EPOLL_CTL_MOD (3).
int promod_epoll_set(int epoll, int operation, int descriptor, uint32_t events);

/// From now on, a system call of this thread in which it waits, other than promod_epoll_wait(), is interrupted after 20 ms, and those
/// that follow after 1 ms. A timer does that, with the signal SIGRTMIN. It runs only while the thread does not wait in
/// promod_epoll_wait(), and ends by itself 20 ms after that began. Without such a timer nothing is interrupted.
void promod_begin_interrupting(void);

/// Ends what promod_begin_interrupting() began, in the same thread.
void promod_end_interrupting(void);

/// epoll_wait(2) for at most 64 descriptors; the timeout is in milliseconds, -1 for none.
int promod_epoll_wait(int epoll, struct promod_ready *ready, int count, int timeout);

/// posix_spawn_file_actions_addclosefrom_np(3); `actions` is a posix_spawn_file_actions_t.
int promod_add_close_from(void *actions, int first);

/// pipe2(2), closed on exec.
int promod_pipe(int *ends);

/// eventfd(2), non-blocking and closed on exec.
int promod_eventfd(void);

/// clock_gettime(2) of CLOCK_MONOTONIC, in milliseconds.
int64_t promod_monotonic_milliseconds(void);

/// clock_gettime(2) of CLOCK_BOOTTIME, in milliseconds.
int64_t promod_boot_milliseconds(void);

/// clock_gettime(2) of CLOCK_REALTIME, in milliseconds.
int64_t promod_realtime_milliseconds(void);

/// Opens a descriptor that becomes readable when the wall clock has been set, by timerfd_create(2); -1 and errno on failure.
int promod_open_clock_watch(void);

/// Makes the descriptor of a clock watch wait for the next time.
void promod_rearm_clock_watch(int descriptor);

/// accept4(2), non-blocking and closed on exec. Messages have bytes alone: the kernel adds no credentials, whatever was set for the
/// listener, and refuses descriptors where it can.
int promod_accept(int descriptor);

/// Makes the kernel refuse messages with descriptors on a Unix-domain socket, or on the connections that it will accept; before Linux
/// 6.16 it does nothing.
void promod_refuse_descriptors(int descriptor);

/// recv(2) from an accepted connection, but a message that had descriptors, which are closed, is the error EPROTO.
ssize_t promod_receive(int descriptor, void *bytes, size_t count);

/// Opens a non-blocking netlink socket that receives changes to routes; -1 and errno on failure.
int promod_open_route_socket(void);

/// Reads all waiting messages of a route socket. Returns 1 if a default route was added or messages were lost, else 0.
int promod_read_default_route_added(int descriptor);

/// Returns 1 if the kernel has a route to a global address in either family, else 0. It sends nothing.
int promod_has_global_route(void);

/// A landlock(7) ruleset that denies uses of files and of the network (LANDLOCK_ACCESS_…), of those that the kernel knows; from Linux
/// 6.12 on also signals to processes outside, and connections to their abstract sockets. Returns a descriptor, or -1.
int promod_landlock(uint64_t files, uint64_t network);

/// Allows uses of the file or of everything in the directory of a descriptor. Returns 0, or -1 with errno.
int promod_landlock_allow(int ruleset, int descriptor, uint64_t files);

/// Confines the calling thread and what it will start, which can gain no privileges either, and closes the ruleset. Returns 0 or -1.
int promod_landlock_enforce(int ruleset);

/// Confines the calling thread, and every thread and process that it will start, with landlock(7).
///
/// They can no longer list /proc, or inspect other processes with ptrace(2): their memory, environment and descriptors. From Linux
/// 6.12 on, they can neither signal processes outside nor connect to their abstract sockets.
/// Returns 0 if the confinement is in force, and -1 if the kernel has no Landlock or refuses.
int promod_hide_other_processes(void);

/// Kills a child of this process.
void promod_kill(pid_t process);

/// prctl(2) with PR_SET_PDEATHSIG: this process gets SIGTERM when the thread that started it ends.
void promod_end_with_parent(void);

/// From now on, a signal of a fault that another process sent ends this one after Swift's trace. Else the trace would be printed, and
/// the process would go on: a real fault happens again when its handler returns, and a sent signal does not.
void promod_end_after_trace(void);

/// Returns 1 if the system clock is synchronized, by adjtimex(2), else 0.
int promod_is_clock_synchronized(void);

/// mallopt(3): large blocks are mapped separately and unmapped when they are freed, and threads share two arenas.
void promod_set_up_memory(void);

/// malloc_trim(3): returns all free memory to the kernel.
void promod_give_back_memory(void);

#endif
