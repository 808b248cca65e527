// Lists the apps that HOST may promote, or taps one: ./more-apps HOST [APP]. cc -o more-apps more-apps.c -ljansson
#include <err.h>
#include <jansson.h>
#include <sys/socket.h>
#include <sys/un.h>

static char *set(const char *name) { return getenv(name) && *getenv(name) ? getenv(name) : NULL; }
static const char *text(json_t *object, const char *name) { return json_string_value(json_object_get(object, name)); }
static json_t *ask(int promod, json_t *request) { // Returns the result: promod answers a line of JSON with another.
    json_dumpfd(request, promod, 0);
    dprintf(promod, "\n");
    json_t *reply = json_loadfd(promod, JSON_DISABLE_EOF_CHECK, NULL), *error = json_object_get(reply, "error");
    if (!reply || error) errx(1, "%s", error ? text(error, "message") : "Apps cannot be shown right now.");
    return json_object_get(reply, "result");
}

int main(int count, char **words) {
    char *path = set("PROMOD_SOCKET"), *directory = set("XDG_RUNTIME_DIR"), *tapped = count > 2 ? words[2] : NULL;
    char *language = set("LC_ALL") ?: set("LC_MESSAGES") ?: set("LANG");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, path ? "%s" : "%s/promod/promod.sock", path ? path : directory);
    int promod = socket(AF_UNIX, SOCK_STREAM, 0);
    setsockopt(promod, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 5}, sizeof(struct timeval));
    if (connect(promod, (struct sockaddr *)&address, sizeof address) != 0) errx(1, "Apps cannot be shown right now.");
    json_t *app, *result = ask(promod, json_pack("{ss ss* ss* ss*}", "method", tapped ? "tap" : "list",
                                                 "host", words[1], "app", tapped, "language", language));
    if (tapped) puts(text(result, text(result, "message") ? "message" : "storeURL")); // a message if offline
    for (size_t n = 0; (app = json_array_get(json_object_get(result, "apps"), n)); n++) {
        printf("%s: %s (%s), %s\n", text(app, "id"), text(app, "name"), text(app, "category"), text(app, "tagline"));
        ask(promod, json_pack("{ss ss* s[s]}", "method", "impression", "host", words[1], "apps", text(app, "id")));
    }
}
