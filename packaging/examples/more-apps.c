// Lists the apps that HOST may promote, again whenever they may have changed, and says which were tapped: ./more-apps [HOST]
// Needs jansson, which is libjansson-dev in Debian: cc -Wall -Wextra -o more-apps more-apps.c -ljansson
#define _XOPEN_SOURCE 700
#include <jansson.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static const char *host;
static char reason[256], epoch[64];
static json_int_t since;

// Prints text of a catalog on one line of at most 79 columns, without control characters and what changes the direction.
static void show(const char *text) {
    int left = 79, length;
    for (wchar_t c; left > 0 && (length = mbtowc(&c, text, MB_CUR_MAX)) > 0; text += length)
        if (wcwidth(c) >= 0 && !wcschr(L"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", c))
            if ((left -= wcwidth(c) ? wcwidth(c) : 1) > 0) printf("%.*s", length, text);
    puts(left > 0 ? "" : "…");
}

static void show_list(json_t *apps, const char *source) {
    char text[1024];
    const char *name = "", *tagline = "";
    puts(!json_array_size(apps) ? "There are no apps to show." : strcmp(source, "sample") ? "More apps:" : "Made-up apps:");
    for (size_t n = 0; json_unpack(json_array_get(apps, n), "{ss ss}", "name", &name, "tagline", &tagline) == 0; n++) {
        snprintf(text, sizeof text, "%s - %s", name, tagline);
        show(text);
    }
}

// Sends a request, whose id is its method, and limits how long the reply may take.
static void ask(int fd, const char *method, json_t *params) {
    json_t *request = json_pack("{ss ss ss so}", "jsonrpc", "2.0", "id", method, "method", method, "params", params);
    json_dumpfd(request, fd, JSON_COMPACT);
    dprintf(fd, "\n");
    json_decref(request);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 5}, sizeof(struct timeval));
}

// Acts on a line from promod. Returns whether it says that the subscription was accepted.
static int receive(int fd, json_t *line) {
    const char *refusal = "", *event = "", *app = "", *source = "", *run = "";
    json_t *apps = NULL;
    json_int_t seq = 0;
    json_unpack(line, "{s?{ss} s?{sI ss s?s} s?{s?o s?s s?I s?s}}", "error", "message", &refusal, "params", "seq", &seq,
        "event", &event, "app", &app, "result", "apps", &apps, "source", &source, "since", &seq, "epoch", &run);
    if (*refusal) shutdown(fd, SHUT_RDWR), snprintf(reason, sizeof reason, "%s", refusal);
    if (*event || *run) since = seq;
    if (!strcmp(event, "tap")) printf("%s was tapped.\n", app);
    if (*run) snprintf(epoch, sizeof epoch, "%s", run);
    // The list may have changed before the subscription, too.
    if (*run || !strcmp(event, "catalog")) ask(fd, "list", json_pack("{ss*}", "host", host));
    if (apps) show_list(apps, source), setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0}, sizeof(struct timeval));
    return *run != 0;
}

int main(int count, char **arguments) {
    const char *given = getenv("PROMOD_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = address.sun_path, *text = NULL;
    size_t size = 0;
    if (given && *given) snprintf(path, sizeof address.sun_path, "%s", given);
    else if (runtime && *runtime == '/') snprintf(path, sizeof address.sun_path, "%s/promod/promod.sock", runtime);
    else snprintf(path, sizeof address.sun_path, "/run/user/%u/promod/promod.sock", getuid());
    host = count > 1 ? arguments[1] : NULL;
    setlocale(LC_CTYPE, "C.UTF-8");
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    srandom(getpid());
    for (long pause = 0, wait;; nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL)) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        FILE *lines = fdopen(fd, "r");
        time_t began = 0;
        snprintf(reason, sizeof reason, "promod cannot be reached at %s.", path);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            ask(fd, "subscribe", json_pack("{s[ss] ss* ss* so*}", "events", "catalog", "tap", "host", host, "epoch",
                *epoch ? epoch : NULL, "since", *epoch ? json_integer(since) : NULL));
        for (json_t *line; getline(&text, &size, lines) > 0; json_decref(line))
            if (receive(fd, line = json_loads(text, JSON_ALLOW_NUL, NULL))) began = time(NULL);
        fclose(lines);
        // The pause grows unless the connection lasted, and is random, because other clients have lost theirs at the same moment.
        pause = began && time(NULL) - began > 5 ? 100 : pause == 0 ? 100 : pause < 2500 ? 2 * pause : 5000;
        wait = pause / 2 + random() % (pause / 2);
        printf("%s Trying again in %ld ms.\n", reason, wait);
    }
}
