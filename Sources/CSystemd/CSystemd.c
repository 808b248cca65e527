#define _GNU_SOURCE
#include "CSystemd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

_Static_assert(sizeof(struct promod_credentials) == sizeof(struct ucred), "same layout as the kernel's");

int promod_notify(const char *state) { return sd_notify(0, state); }

int promod_listen_fds(void) { return sd_listen_fds(1); }

int promod_is_listening_unix_socket(int descriptor) {
    return sd_is_socket_unix(descriptor, SOCK_STREAM, 1, NULL, 0);
}

int promod_journal_send(const struct iovec *fields, size_t count) { return sd_journal_sendv(fields, (int)count); }

int promod_open_route_socket(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int promod_read_default_route_added(int descriptor) {
    _Alignas(struct nlmsghdr) char buffer[8192];
    int added = 0;
    for (;;) {
        ssize_t length = recv(descriptor, buffer, sizeof buffer, 0);
        if (length < 0 && errno == EINTR) continue;
        // The kernel dropped messages because too many came: a default route may have been among them.
        if (length < 0 && errno == ENOBUFS) added = 1;
        if (length <= 0) return added;
        int rest = (int)length;
        for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, rest); message = NLMSG_NEXT(message, rest)) {
            if (message->nlmsg_type != RTM_NEWROUTE) continue;
            if (message->nlmsg_len < NLMSG_LENGTH(sizeof(struct rtmsg))) continue;
            const struct rtmsg *route = NLMSG_DATA(message);
            if (route->rtm_dst_len == 0 && route->rtm_type == RTN_UNICAST) added = 1;
        }
    }
}

static int has_route(const struct sockaddr *address, socklen_t length) {
    int descriptor = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    // Out of descriptors is not out of network.
    if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
    int result = connect(descriptor, address, length) == 0;
    close(descriptor);
    return result;
}

int promod_has_global_route(void) {
    // Addresses of two root name servers; any global address would do, for connecting a datagram socket sends nothing.
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(53)};
    inet_pton(AF_INET, "198.41.0.4", &v4.sin_addr);
    if (has_route((struct sockaddr *)&v4, sizeof v4)) return 1;
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(53)};
    inet_pton(AF_INET6, "2001:503:ba3e::2:30", &v6.sin6_addr);
    return has_route((struct sockaddr *)&v6, sizeof v6);
}
