// limit SOCKET REPLY: answers each line with the content of the file REPLY. A server with one thread, and with one read and one
// write for each client that is ready, can hardly be faster.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { COPIES = 64 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// COPIES of the reply, so that all lines of a read are answered with one write.
static char *replies(const char *path, size_t *length) {
    static char reply[1 << 16];
    FILE *file = fopen(path, "r");
    if (!file || !(*length = fread(reply, 1, sizeof reply, file))) fail(path);
    char *result = malloc(COPIES * *length);
    if (!result) fail("malloc");
    for (int copy = 0; copy < COPIES; copy++) memcpy(result + (size_t)copy * *length, reply, *length);
    return result;
}

static size_t lines(const char *bytes, const char *stop) {
    size_t result = 0;
    while ((bytes = memchr(bytes, '\n', (size_t)(stop - bytes)))) bytes++, result++;
    return result;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) return 64;
    size_t length;
    const char *reply = replies(arguments[2], &length);

    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096) ||
        epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event))
        fail(arguments[1]);

    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, -1);
        for (int index = 0; index < ready; index++) {
            int client = events[index].data.fd;
            if (client == listener) {
                event.data.fd = accept(listener, NULL, NULL);
                if (epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event)) fail("epoll_ctl");
                continue;
            }
            static char buffer[1 << 16];
            ssize_t received = recv(client, buffer, sizeof buffer, 0);
            if (received <= 0) {
                close(client);
                continue;
            }
            // The socket blocks, which is enough for clients that always read.
            for (size_t unanswered = lines(buffer, buffer + received); unanswered;) {
                size_t copies = unanswered < COPIES ? unanswered : COPIES;
                if (send(client, reply, copies * length, MSG_NOSIGNAL) < 0) break;
                unanswered -= copies;
            }
        }
    }
}
