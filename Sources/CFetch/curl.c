#define _GNU_SOURCE
// The checks of types need calls of the functions by name.
#define CURL_DISABLE_TYPECHECK
#include "CFetch.h"
#include "CLinux.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define SAME(name, number) _Static_assert((int)CURLE_##name == number, "libcurl has another number for it");
PROMOD_CURL_CODES(SAME)

// libcurl.so.4 needs zlib, and is asked for its functions too.
#define FUNCTIONS(use)                                                                                                             \
    use(curl_global_init) use(curl_version_info) use(curl_easy_init) use(curl_easy_reset) use(curl_easy_setopt)                    \
    use(curl_easy_perform) use(curl_easy_getinfo) use(curl_easy_header) use(curl_easy_strerror) use(curl_slist_append)             \
    use(curl_slist_free_all) use(curl_getdate) use(inflateInit2_) use(inflate) use(inflateReset) use(inflateEnd) use(zlibVersion)

#define POINTER(name) __typeof__(&name) name;
#define LOOK_UP(name)                                                                                                              \
    if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return #name " is missing in it";

static struct {
    FUNCTIONS(POINTER)
} library;

static CURL *easy;

// The current request.
static struct promod_answer *current;
static uint8_t *body;
static size_t maximum;
static int is_too_large, is_moved;
static int64_t patience, progressed_at;

const char *promod_fetch_load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY);
    if (!handle) return dlerror();
    FUNCTIONS(LOOK_UP)
    if (library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "libcurl cannot be initialised";
    easy = library.curl_easy_init();
    return easy ? NULL : "libcurl has no memory";
}

long promod_gunzip(const uint8_t *bytes, size_t count, uint8_t *decoded, size_t size) {
    enum { GZIP_ALONE = 15 + 16 };
    z_stream stream = {.next_in = (uint8_t *)bytes, .avail_in = (uInt)count, .next_out = decoded, .avail_out = (uInt)size};
    int status = library.inflateInit2_(&stream, GZIP_ALONE, library.zlibVersion(), (int)sizeof stream);
    while (status == Z_OK) {
        status = library.inflate(&stream, Z_NO_FLUSH);
        if (status != Z_STREAM_END) continue;
        // Behind a member there may be another one, or zeros, with which some programs fill a block.
        for (; stream.avail_in && !*stream.next_in; stream.next_in++) stream.avail_in--;
        if (stream.avail_in) status = library.inflateReset(&stream);
    }
    library.inflateEnd(&stream);
    if (status == Z_STREAM_END) return (long)(size - stream.avail_out);
    return status == Z_BUF_ERROR && !stream.avail_out ? PROMOD_TOO_LARGE : PROMOD_BAD_GZIP;
}

// A request

static int notice_proxy(CURL *handle, curl_infotype type, char *bytes, size_t count, void *context) {
    // Only libcurl's log for people names the variable that it followed.
    char line[64], name[sizeof current->proxy_variable];
    (void)handle, (void)context;
    if (type != CURLINFO_TEXT) return 0;
    snprintf(line, sizeof line, "%.*s", (int)count, bytes);
    if (sscanf(line, "Uses proxy env variable %15s ", name) == 1 && strcasecmp(name, "no_proxy") != 0) strcpy(current->proxy_variable, name);
    return 0;
}

static void notice_progress(void) { progressed_at = promod_milliseconds(CLOCK_MONOTONIC); }

// Called at least once a second, whatever libcurl waits for.
static int watch(void *context, curl_off_t to_come, curl_off_t came, curl_off_t to_go, curl_off_t went) {
    (void)context, (void)to_come, (void)came, (void)to_go, (void)went;
    // No query comes during a request, so an input is the end of promod.
    struct pollfd promod = {.fd = 0, .events = POLLIN};
    if (poll(&promod, 1, 0) > 0) _exit(0);
    return promod_milliseconds(CLOCK_MONOTONIC) - progressed_at > patience;
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
    char line[sizeof current->phrase + 32];
    long status;
    (void)size, (void)context;
    notice_progress();
    snprintf(line, sizeof line, "%.*s", (int)count, bytes);
    if (sscanf(line, "HTTP/%*s %ld", &status) == 1) {
        current->status = status;
        *current->phrase = 0;
        sscanf(line, "HTTP/%*s %*d %255[^\r\n]", current->phrase);
        int is_redirect = status / 100 == 3 && status != 304;
        if (is_redirect && status != 301 && status != 308) is_moved = 0;
    }
    // An error in a body that is not needed must not hide the head.
    int is_end = *bytes == '\r' || *bytes == '\n';
    return is_end && current->status >= 400 ? 0 : count;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    (void)size, (void)context;
    notice_progress();
    if (current->status != 200) return 0;
    is_too_large = count > maximum - current->count;
    if (is_too_large) return 0;
    memcpy(body + current->count, bytes, count);
    current->count += count;
    return count;
}

#define SET(option, value) is_set &= library.curl_easy_setopt(easy, option, value) == CURLE_OK

static int set_options(
    const char *url, struct curl_slist *headers, const char *credentials, const char *proxy, const char *ca_file, long milliseconds) {
    enum { CONNECTING = 10000 };
    int is_set = 1;
    SET(CURLOPT_URL, url);
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_MAXREDIRS, 5L);
    SET(CURLOPT_PROTOCOLS_STR, "https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, "https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    // Of libcurl's own directory, which holds a file for each certificate, only the needed one is read. Its bundle is read as a whole,
    // so it is used only if there is neither a directory nor a file.
    if (ca_file || library.curl_version_info(CURLVERSION_NOW)->capath) {
        SET(CURLOPT_CAINFO, ca_file);
        SET(CURLOPT_PROXY_CAINFO, ca_file);
    }
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_USERPWD, credentials);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    // A name server that is silent is not waited for beyond the limits.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_BUFFERSIZE, 65536L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, patience < CONNECTING ? (long)patience : (long)CONNECTING);
    SET(CURLOPT_TIMEOUT_MS, milliseconds);
    if (proxy) SET(CURLOPT_PROXY, proxy);
    if (proxy) SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_HEADERFUNCTION, take_line);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_XFERINFOFUNCTION, watch);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_DEBUGFUNCTION, notice_proxy);
    SET(CURLOPT_VERBOSE, 1L);
    SET(CURLOPT_ERRORBUFFER, current->text);
    return is_set;
}

static long long number(CURLINFO info) {
    // Whether it is a long or a curl_off_t, libcurl writes 64 bits.
    long long value = 0;
    library.curl_easy_getinfo(easy, info, &value);
    return value;
}

static int decode(void) {
    uint8_t *decoded = malloc(maximum);
    if (!decoded) return CURLE_OUT_OF_MEMORY;
    long made = promod_gunzip(body, current->count, decoded, maximum);
    if (made < 0) {
        free(decoded);
        return (int)made;
    }
    free(body);
    body = decoded;
    current->count = (size_t)made;
    return CURLE_OK;
}

void promod_fetch_perform(
    const char *url, const char *headers, const char *credentials, const char *proxy, const char *ca_file, size_t maximum_bytes,
    long patience_milliseconds, long milliseconds, struct promod_answer *answer) {
    memset(answer, 0, sizeof *answer);
    current = answer;
    patience = patience_milliseconds;
    maximum = maximum_bytes;
    is_too_large = 0;
    is_moved = 1;
    free(body);
    // What nothing is written to takes no memory.
    body = malloc(maximum);
    notice_progress();
    struct curl_slist *list = NULL;
    for (const char *line = headers; *line; line += strlen(line) + 1) list = library.curl_slist_append(list, line);
    // The fields of the last head are kept until then.
    library.curl_easy_reset(easy);
    int is_set = body && set_options(url, list, credentials, proxy, ca_file, milliseconds);
    answer->code = is_set ? (int)library.curl_easy_perform(easy) : (int)CURLE_FAILED_INIT;
    if (is_too_large) answer->code = PROMOD_TOO_LARGE;
    // Some servers send other labels, too, which are not encodings.
    const char *encoding = promod_fetch_field("Content-Encoding");
    if (answer->code == CURLE_OK && answer->status == 200 && encoding && strcasestr(encoding, "gzip")) answer->code = decode();
    answer->is_moved = is_moved && number(CURLINFO_REDIRECT_COUNT) > 0;
    answer->system_error = (int)number(CURLINFO_OS_ERRNO);
    answer->verdict = (int)number(CURLINFO_SSL_VERIFYRESULT);
    answer->proxy_status = (int)number(CURLINFO_HTTP_CONNECTCODE);
    if (!*answer->text) strncpy(answer->text, library.curl_easy_strerror((CURLcode)answer->code), sizeof answer->text - 1);
    library.curl_slist_free_all(list);
}

const uint8_t *promod_fetch_body(void) { return body; }

const char *promod_fetch_address(void) {
    const char *address = NULL;
    library.curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &address);
    return address;
}

const char *promod_fetch_field(const char *name) {
    struct curl_header *field = NULL;
    enum { LAST_HEAD = -1 };
    return library.curl_easy_header(easy, name, 0, CURLH_HEADER, LAST_HEAD, &field) == CURLHE_OK ? field->value : NULL;
}

int64_t promod_fetch_time(const char *name) {
    const char *value = promod_fetch_field(name);
    return value ? (int64_t)library.curl_getdate(value, NULL) : -1;
}
