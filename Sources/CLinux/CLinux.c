#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int promod_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int promod_epoll_set(int epoll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int promod_epoll_wait(int epoll, struct promod_ready *ready, int count, int timeout) {
    struct epoll_event events[64];
    int found = epoll_wait(epoll, events, count < 64 ? count : 64, timeout);
    for (int index = 0; index < found; index++) {
        ready[index].descriptor = events[index].data.fd;
        ready[index].events = events[index].events;
    }
    return found;
}

int promod_add_close_from(void *actions, int first) { return posix_spawn_file_actions_addclosefrom_np(actions, first); }

int promod_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int promod_is_on_fuse(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 && status.f_type == FUSE_SUPER_MAGIC;
}

int promod_memory_file(void) {
    // MFD_EXEC, which Debian 12's headers lack, and Linux before 6.3.
    int descriptor = memfd_create("promod", MFD_CLOEXEC | 0x10);
    return descriptor < 0 && errno == EINVAL ? memfd_create("promod", MFD_CLOEXEC) : descriptor;
}

void promod_limit_waits(int descriptor, int seconds) {
    struct timeval time = {.tv_sec = seconds};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

void promod_set_name(void) { prctl(PR_SET_NAME, "promod"); }

int promod_is_secure(void) { return getauxval(AT_SECURE) != 0; }

int promod_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int64_t promod_milliseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int arm_clock_watch(int descriptor) {
    // A time that no clock reaches.
    struct itimerspec never = {.it_value.tv_sec = INT32_MAX * (int64_t)16};
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int promod_open_clock_watch(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (descriptor < 0 || arm_clock_watch(descriptor) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

void promod_rearm_clock_watch(int descriptor) {
    uint64_t fired;
    // The read fails with ECANCELED, after which the descriptor is no longer ready.
    while (read(descriptor, &fired, sizeof fired) < 0 && errno == EINTR) {}
    arm_clock_watch(descriptor);
}

// Debian 12's headers lack these options.
enum { PASS_PIDFD = 76, PASS_DESCRIPTORS = 83 };

static void turn_off(int option, int descriptor) {
    int no = 0;
    setsockopt(descriptor, SOL_SOCKET, option, &no, sizeof no);
}

void promod_refuse_descriptors(int descriptor) { turn_off(PASS_DESCRIPTORS, descriptor); }

int promod_accept(int descriptor) {
    int connection = accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection < 0) return connection;
    // The connection inherits the listener's options at the time of connect(2), which may be before promod got the listener.
    const int options[] = {SO_PASSCRED, SO_PASSSEC, PASS_PIDFD, PASS_DESCRIPTORS};
    for (size_t index = 0; index < sizeof options / sizeof *options; index++) turn_off(options[index], connection);
    return connection;
}

ssize_t promod_receive(int descriptor, void *bytes, size_t count) {
    struct iovec vector = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    ssize_t received = recvmsg(descriptor, &message, 0);
    if (received < 0 || !(message.msg_flags & MSG_CTRUNC)) return received;
    errno = EPROTO;
    return -1;
}

int promod_open_route_socket(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

static int may_change_default_route(const struct nlmsghdr *message) {
    switch (message->nlmsg_type) {
    case RTM_NEWROUTE:
    case RTM_DELROUTE:
        return message->nlmsg_len >= NLMSG_LENGTH(sizeof(struct rtmsg)) && ((const struct rtmsg *)NLMSG_DATA(message))->rtm_dst_len == 0;
    case RTM_NEWLINK:
        // The kernel does not report that the IPv4 routes of an interface that goes down go with it.
        return message->nlmsg_len >= NLMSG_LENGTH(sizeof(struct ifinfomsg)) && !(((const struct ifinfomsg *)NLMSG_DATA(message))->ifi_flags & IFF_UP);
    default: return message->nlmsg_type == RTM_DELLINK;
    }
}

int promod_read_route_changes(int descriptor) {
    _Alignas(struct nlmsghdr) char buffer[8192];
    int found = 0;
    for (;;) {
        ssize_t length = recv(descriptor, buffer, sizeof buffer, 0);
        if (length < 0 && errno == EINTR) continue;
        // The kernel dropped messages because too many arrived; one may have been about a default route.
        if (length < 0 && errno == ENOBUFS) found = 1;
        if (length <= 0) return found;
        int rest = (int)length;
        for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, rest); message = NLMSG_NEXT(message, rest)) {
            if (may_change_default_route(message)) found = 1;
        }
    }
}

// Whether the kernel has a route to an address. It is asked over netlink, because the daemon opens no Internet sockets.
static int has_route(int descriptor, int family, const void *address, unsigned short size) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        char attributes[RTA_SPACE(16)];
    } request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)) + RTA_LENGTH(size), .nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
        .route = {.rtm_family = (unsigned char)family, .rtm_dst_len = (unsigned char)(8 * size)},
    };
    struct rtattr *attribute = (struct rtattr *)request.attributes;
    attribute->rta_type = RTA_DST;
    attribute->rta_len = RTA_LENGTH(size);
    memcpy(RTA_DATA(attribute), address, size);
    if (send(descriptor, &request, request.header.nlmsg_len, 0) < 0) return 0;
    char reply[4096] __attribute__((aligned(NLMSG_ALIGNTO)));
    const ssize_t length = recv(descriptor, reply, sizeof reply, 0);
    const struct nlmsghdr *header = (const struct nlmsghdr *)reply;
    // Without a route, or with one that refuses, the kernel answers with an error.
    return length >= (ssize_t)sizeof *header && NLMSG_OK(header, (size_t)length) && header->nlmsg_type == RTM_NEWROUTE;
}

int promod_has_global_route(void) {
    // The addresses of two root name servers; any global addresses would do.
    struct in_addr v4;
    struct in6_addr v6;
    inet_pton(AF_INET, "198.41.0.4", &v4);
    inet_pton(AF_INET6, "2001:503:ba3e::2:30", &v6);
    const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    // A process that has run out of descriptors may still have a network.
    if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
    const int result = has_route(descriptor, AF_INET, &v4, sizeof v4) || has_route(descriptor, AF_INET6, &v6, sizeof v6);
    close(descriptor);
    return result;
}

int promod_is_clock_synchronized(void) {
    struct timex state = {0};
    return adjtimex(&state) != TIME_ERROR;
}

void promod_set_up_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 256 * 1024);
    mallopt(M_ARENA_MAX, 2);
}

void promod_give_back_memory(void) { malloc_trim(0); }

// GCC does not have it.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if __has_feature(thread_sanitizer)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
static char lock;
void promod_lock_is_taken(void) { __tsan_acquire(&lock); }
void promod_lock_is_released(void) { __tsan_release(&lock); }
#else
void promod_lock_is_taken(void) {}
void promod_lock_is_released(void) {}
#endif
