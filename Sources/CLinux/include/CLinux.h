#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/types.h>

// Kernel interfaces that Swift cannot import. The wrappers have no policy; unless noted, each returns the result of its system call.

/// A descriptor that is ready, and its events: EPOLLIN and so on.
struct promod_ready {
    int descriptor;
    uint32_t events;
};

/// epoll_create1(2), closed on exec.
int promod_epoll_create(void);

/// epoll_ctl(2), level-triggered; `operation` is EPOLL_CTL_ADD (1), EPOLL_CTL_DEL (2) or EPOLL_CTL_MOD (3).
int promod_epoll_set(int epoll, int operation, int descriptor, uint32_t events);

/// epoll_wait(2) for at most 64 descriptors; the timeout is in milliseconds, -1 for none.
int promod_epoll_wait(int epoll, struct promod_ready *ready, int count, int timeout);

/// posix_spawn_file_actions_addclosefrom_np(3); `actions` is a posix_spawn_file_actions_t.
int promod_add_close_from(void *actions, int first);

/// pipe2(2), closed on exec.
int promod_pipe(int *ends);

/// Returns 1 if a file lies in a file system of FUSE, by statfs(2), else 0.
int promod_is_on_fuse(const char *path);

/// memfd_create(2) for a program, closed on exec.
int promod_memory_file(void);

/// Limits the waits of a socket to some seconds.
void promod_limit_waits(int descriptor, int seconds);

/// Names the process promod in the lists of ps(1) and top(1).
void promod_set_name(void);

/// Whether the process has more rights than its user, by getauxval(3).
int promod_is_secure(void);

/// eventfd(2), non-blocking and closed on exec.
int promod_eventfd(void);

/// The time of a clock in milliseconds, by clock_gettime(2).
int64_t promod_milliseconds(clockid_t clock);

/// Opens a descriptor that becomes readable when the wall clock has been set, by timerfd_create(2); -1 and errno on failure.
int promod_open_clock_watch(void);

/// Makes a clock watch wait for the next time that the clock is set.
void promod_rearm_clock_watch(int descriptor);

/// accept4(2), non-blocking and closed on exec. Whatever the listener's options are, the kernel adds no credentials to messages, and
/// refuses descriptors in them if it can.
int promod_accept(int descriptor);

/// Makes the kernel refuse messages with descriptors on a Unix-domain socket, or on the connections that a listener will accept; no
/// effect before Linux 6.16.
void promod_refuse_descriptors(int descriptor);

/// recv(2) from an accepted connection. A message with descriptors is the error EPROTO, and its descriptors are closed.
ssize_t promod_receive(int descriptor, void *bytes, size_t count);

/// Opens a non-blocking netlink socket that receives changes to routes and interfaces; -1 and errno on failure.
int promod_open_route_socket(void);

/// Reads all waiting messages of a route socket. Returns 1 if a default route may have come or gone, else 0.
int promod_read_route_changes(int descriptor);

/// Returns 1 if the kernel has a route to a global address in either family, else 0. It sends nothing.
int promod_has_global_route(void);

/// Returns 1 if the system clock is synchronized, by adjtimex(2), else 0.
int promod_is_clock_synchronized(void);

/// Tell the thread sanitizer of a lock that it does not see, such as Swift's Mutex, which waits in the kernel (FUTEX_LOCK_PI); nothing
/// without it.
void promod_lock_is_taken(void);
void promod_lock_is_released(void);

/// mallopt(3): large blocks are mapped separately and unmapped when they are freed, and threads share two arenas.
void promod_set_up_memory(void);

/// malloc_trim(3): returns all free memory to the kernel.
void promod_give_back_memory(void);

/// Takes a terminal: its keys come one by one, without an echo; with an eventfd `redraw`, Control-C is one of them, and standard output has
/// the alternate screen, without a cursor. Before a signal ends or stops the program, or exit(3) ends it, the terminal is as it was; the program's own handlers run then.
/// A program that goes on has the terminal again. Returns 0, or -1 if it is no terminal, or taken.
///
/// The eventfd, which stays open, becomes readable whenever the view has to be drawn as a whole; -1 for none.
int promod_take_terminal(int terminal, int redraw);

/// Gives the terminal back, and the program its handlers of signals.
void promod_give_terminal_back(void);

// What libdispatch exports for a run loop that serves its main queue; Foundation's run loop uses the same two functions.

/// Returns the eventfd(2) that becomes readable when the main queue has work.
int promo_main_queue_descriptor(void);

/// Runs the work in the main queue. Only the main thread may call it.
void promo_main_queue_run(void);

/// Which build this program is, as packaging/releasing/version says; empty if packaging/build did not build it.
const char *promod_build(void);

#endif
