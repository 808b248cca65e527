// load SOCKET SCRIPT CONNECTIONS DEPTH SECONDS [PERIOD]: sends requests to a server over many connections, and checks each reply.
//
// The script is a sequence of pairs: a line "REQUEST-LENGTH REPLY-LENGTH", a request, and its reply. Each connection sends DEPTH
// requests with one write, and the next ones when all are answered. The first tenth of the time is not counted. The result is
// printed as JSON, with latencies in microseconds. With a PERIOD in microseconds, each connection sends only at multiples of it.
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct pair {
    const char *request, *reply;
    size_t request_length, reply_length;
};

struct client {
    int descriptor;
    size_t next;        // the pair of the next reply
    size_t position;    // in that reply
    size_t unanswered;
    uint64_t sent;
};

static struct pair *pairs;
static size_t pair_count, depth;

// Latencies in nanoseconds, in 128 buckets for each power of two, so that a bucket is less than 1 % wide.
enum { BITS = 7, BUCKETS = (64 - BITS + 1) << BITS };
static uint64_t latencies[BUCKETS];

static uint64_t counted, counted_bytes, asked, counted_from, end, last_reply, longest, period, start;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static size_t bucket(uint64_t latency) {
    if (latency < 1 << BITS) return latency;
    int shift = 63 - __builtin_clzll(latency) - BITS;
    return ((size_t)shift << BITS) + (latency >> shift);
}

static double percentile(double share) {
    uint64_t below = 0;
    for (size_t index = 0; index < BUCKETS; index++) {
        below += latencies[index];
        if (below == 0 || (double)below < share * (double)counted) continue;
        if (index < 1 << BITS) return (double)index / 1e3;
        int shift = (int)(index >> BITS) - 1;
        uint64_t least = (uint64_t)((index & ((1 << BITS) - 1)) | 1 << BITS) << shift;
        return ((double)least + (double)(1ull << shift) / 2) / 1e3;
    }
    return 0;
}

static void read_script(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s: %s", path, strerror(errno));
    struct pair pair;
    while (fscanf(file, "%zu %zu", &pair.request_length, &pair.reply_length) == 2) {
        size_t length = pair.request_length + pair.reply_length;
        char *bytes = malloc(length);
        pairs = realloc(pairs, (pair_count + 1) * sizeof *pairs);
        if (!bytes || !pairs) fail("no memory");
        if (fgetc(file) != '\n' || !pair.request_length || !pair.reply_length || fread(bytes, 1, length, file) != length)
            fail("%s: pair %zu is not valid", path, pair_count);
        pair.request = bytes;
        pair.reply = bytes + pair.request_length;
        pairs[pair_count++] = pair;
    }
    if (!feof(file) || !pair_count) fail("%s: not a script", path);
    fclose(file);
}

static int connected(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("%s: too long for a socket", path);
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("%s: %s", path, strerror(errno));
    return descriptor;
}

// Sends the next requests of a client. Returns 0 at the end.
static int ask(struct client *client) {
    static char buffer[1 << 16];
    size_t length = 0;
    client->sent = now();
    if (period) {
        client->sent += period - (client->sent - start) % period;
        struct timespec time = {(time_t)(client->sent / 1000000000), (long)(client->sent % 1000000000)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    }
    if (client->sent >= end) return 0;
    while (client->unanswered < depth) {
        const struct pair *pair = &pairs[(client->next + client->unanswered) % pair_count];
        if (length + pair->request_length > sizeof buffer) fail("the requests are too long for this depth");
        memcpy(buffer + length, pair->request, pair->request_length);
        length += pair->request_length;
        client->unanswered++;
        asked++;
    }
    // All earlier requests have been answered, so the socket has room for these.
    if (send(client->descriptor, buffer, length, MSG_NOSIGNAL) != (ssize_t)length) fail("cannot send: %s", strerror(errno));
    return 1;
}

static void check(const struct client *client, const char *bytes, size_t length) {
    const struct pair *pair = &pairs[client->next];
    if (memcmp(bytes, pair->reply + client->position, length) == 0) return;
    fail("%.*s\nwas answered, from byte %zu on: %.*s\ninstead of: %.*s", (int)pair->request_length, pair->request, client->position,
         (int)(length < 400 ? length : 400), bytes, (int)(length < 400 ? length : 400), pair->reply + client->position);
}

static void count(const struct client *client) {
    if (client->sent < counted_from) return;
    counted++;
    counted_bytes += pairs[client->next].reply_length;
    uint64_t latency = last_reply - client->sent;
    latencies[bucket(latency)]++;
    if (latency > longest) longest = latency;
}

// Reads from a client's connection, and checks and counts the replies.
static void take(struct client *client) {
    static char buffer[1 << 18];
    ssize_t received = recv(client->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (received <= 0) fail("the server closed a connection: %s", received ? strerror(errno) : "end of file");
    last_reply = now();
    for (const char *bytes = buffer, *stop = buffer + received; bytes < stop;) {
        if (!client->unanswered) fail("an unexpected reply came");
        size_t length = pairs[client->next].reply_length - client->position;
        if (length > (size_t)(stop - bytes)) length = (size_t)(stop - bytes);
        check(client, bytes, length);
        bytes += length;
        client->position += length;
        if (client->position < pairs[client->next].reply_length) return;
        count(client);
        client->position = 0;
        client->next = (client->next + 1) % pair_count;
        client->unanswered--;
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count < 6) fail("usage: load SOCKET SCRIPT CONNECTIONS DEPTH SECONDS [PERIOD]");
    read_script(arguments[2]);
    size_t connections = strtoul(arguments[3], NULL, 10);
    depth = strtoul(arguments[4], NULL, 10);
    double seconds = strtod(arguments[5], NULL);
    if (!connections || !depth || seconds <= 0) fail("CONNECTIONS, DEPTH and SECONDS are greater than 0");

    int poll = epoll_create1(0);
    struct client *clients = calloc(connections, sizeof *clients);
    if (poll < 0 || !clients) fail("%s", strerror(errno));
    for (size_t index = 0; index < connections; index++) {
        clients[index] = (struct client){.descriptor = connected(arguments[1]), .next = index * 7919 % pair_count};
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[index]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, clients[index].descriptor, &event)) fail("%s", strerror(errno));
    }

    start = now();
    period = argument_count > 6 ? strtoull(arguments[6], NULL, 10) * 1000 : 0;
    counted_from = start + (uint64_t)(seconds * 1e8);
    end = start + (uint64_t)(seconds * 1e9);
    size_t busy = 0;
    for (size_t index = 0; index < connections; index++) busy += (size_t)ask(&clients[index]);
    while (busy) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 60000);
        if (ready == 0) fail("%zu connections have waited 60 s for a reply", busy);
        for (int index = 0; index < ready; index++) {
            struct client *client = events[index].data.ptr;
            take(client);
            if (!client->unanswered && !ask(client)) busy--;
        }
    }
    seconds = (double)(last_reply - counted_from) / 1e9;
    printf("{\"requests\":%llu,\"asked\":%llu,\"bytes\":%llu,\"seconds\":%.6f,\"p50\":%.2f,\"p99\":%.2f,\"longest\":%.2f}\n",
           (unsigned long long)counted, (unsigned long long)asked, (unsigned long long)counted_bytes, seconds, percentile(0.5), percentile(0.99),
           (double)longest / 1e3);
}
