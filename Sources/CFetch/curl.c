#define _GNU_SOURCE
// The checks of types need calls of the functions by name.
#define CURL_DISABLE_TYPECHECK
#include "CFetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

// libcurl.so.4 needs the libraries of OpenSSL and zlib, and is asked for their functions too.
#define FUNCTIONS(use)                                                                                                             \
    use(curl_global_init) use(curl_version_info) use(curl_easy_init) use(curl_easy_reset) use(curl_easy_setopt)                    \
    use(curl_easy_getinfo) use(curl_easy_strerror) use(curl_slist_append) use(curl_slist_free_all) use(curl_multi_init)            \
    use(curl_multi_add_handle) use(curl_multi_remove_handle) use(curl_multi_perform) use(curl_multi_poll)                          \
    use(curl_multi_info_read)                                                                                                      \
    use(SSL_get0_alpn_selected) use(SSL_CTX_set_info_callback)                                                                     \
    use(inflateInit2_) use(inflate) use(inflateReset) use(inflateEnd) use(zlibVersion)

#define POINTER(name) __typeof__(&name) name;
#define LOOK_UP(name)                                                                                                              \
    if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return #name " is missing in it";

static struct {
    FUNCTIONS(POINTER)
} library;

static CURL *easy;
static CURLM *multi;

// The current request.
static struct promod_outcome *current;
static promod_take *take;
static int is_compressed;
// The connection with the origin, once it has answered; a proxy may have one of its own.
static const SSL *origin;
// Whether the last handshake was for HTTP/2.
static int is_http2_agreed;

const char *promod_fetch_load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY);
    if (!handle) return dlerror();
    FUNCTIONS(LOOK_UP)
    if (library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "libcurl cannot be initialised";
    easy = library.curl_easy_init();
    multi = library.curl_multi_init();
    return easy && multi ? NULL : "libcurl has no memory";
}

// Compression

static _Thread_local z_stream inflater;
static _Thread_local int is_at_end, is_padding;
// The bytes that were taken.
static _Thread_local long long offset;

int promod_gunzip_begin(void) {
    // The format is found out by the first bytes.
    enum { ANY_FORMAT = 15 + 32 };
    library.inflateEnd(&inflater);
    inflater = (z_stream){0};
    is_at_end = is_padding = 0;
    offset = 0;
    return library.inflateInit2_(&inflater, ANY_FORMAT, library.zlibVersion(), (int)sizeof inflater) == Z_OK;
}

int promod_gunzip(const uint8_t *bytes, size_t count, promod_take *take_part, void *context) {
    uint8_t part[PROMOD_MAXIMUM_PART];
    inflater.next_in = (uint8_t *)bytes;
    inflater.avail_in = (uInt)count;
    // What zlib holds back fills a part, or ends before it is full.
    do {
        // Behind a member there may be another one, or zeros, with which some programs fill a block.
        for (; is_at_end && inflater.avail_in && !*inflater.next_in; inflater.next_in++, inflater.avail_in--) offset += is_padding = 1;
        if (is_at_end && !inflater.avail_in) break;
        if (is_at_end && (is_padding || *inflater.next_in != 0x1f)) return -1;
        uInt before = inflater.avail_in;
        inflater.next_out = part;
        inflater.avail_out = sizeof part;
        int status = library.inflate(&inflater, Z_NO_FLUSH);
        offset += before - inflater.avail_in;
        size_t made = sizeof part - inflater.avail_out;
        // Without input, nothing is wrong.
        if (status == Z_BUF_ERROR && before == 0) break;
        if (status != Z_OK && status != Z_STREAM_END) return -1;
        is_at_end = status == Z_STREAM_END;
        if (is_at_end && library.inflateReset(&inflater) != Z_OK) return -1;
        if (made && !take_part(context, 0, part, made)) return 0;
    } while (inflater.avail_in || !inflater.avail_out);
    return 1;
}

int promod_gunzip_is_whole(void) { return is_at_end; }

long long promod_gunzip_offset(void) { return offset; }

// TLS

static int speaks_http2(const SSL *ssl) {
    const unsigned char *protocol = NULL;
    unsigned length = 0;
    library.SSL_get0_alpn_selected(ssl, &protocol, &length);
    return length == 2 && memcmp(protocol, "h2", 2) == 0;
}

static void notice(const SSL *ssl, int place, int value) {
    if (place == SSL_CB_HANDSHAKE_DONE) is_http2_agreed = speaks_http2(ssl);
    if (ssl == origin && place == SSL_CB_READ_ALERT && (value & 0xff) == SSL_AD_CLOSE_NOTIFY) current->is_closed = 1;
}

static CURLcode set_up_tls(CURL *handle, void *context, void *data) {
    (void)handle, (void)data;
    library.SSL_CTX_set_info_callback(context, notice);
    return CURLE_OK;
}

// A request

static int notice_proxy(CURL *handle, curl_infotype type, char *bytes, size_t count, void *data) {
    // Only libcurl's log for people names the variable that it followed.
    char line[64], name[sizeof current->proxy_variable];
    (void)handle, (void)data;
    if (type != CURLINFO_TEXT) return 0;
    snprintf(line, sizeof line, "%.*s", (int)count, bytes);
    if (sscanf(line, "Uses proxy env variable %15s ", name) == 1 && strcasecmp(name, "no_proxy") != 0) strcpy(current->proxy_variable, name);
    return 0;
}

// The version in a response is what the origin claims; this is what both agreed on.
static void look_at_connection(void) {
    struct curl_tlssessioninfo *session = NULL;
    library.curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    if (session) origin = session->internals;
    current->is_http2 = origin && speaks_http2(origin);
}

static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
    if (!origin) look_at_connection();
    int answer = take(context, 1, (const uint8_t *)bytes, size * count);
    if (answer == PROMOD_DECOMPRESS && !(is_compressed = promod_gunzip_begin())) return 0;
    return answer ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    const uint8_t *part = (const uint8_t *)bytes;
    int goes_on = is_compressed ? promod_gunzip(part, size * count, take, context) : take(context, 0, part, size * count);
    if (goes_on < 0) current->is_bad_gzip = 1;
    return goes_on > 0 ? size * count : 0;
}

#define SET(option, value) is_set &= library.curl_easy_setopt(easy, option, value) == CURLE_OK

static int set_trust(const char *ca_file) {
    int is_set = 1;
    // Of libcurl's own directory, which holds a file for each certificate, only the needed one is read. Its bundle is read as a whole,
    // so it is used only if there is neither a directory nor a file.
    if (ca_file || library.curl_version_info(CURLVERSION_NOW)->capath) {
        SET(CURLOPT_CAINFO, ca_file);
        SET(CURLOPT_PROXY_CAINFO, ca_file);
    }
    return is_set;
}

static int set_options(
    const char *url, struct curl_slist *headers, const char *proxy, const char *ca_file, long milliseconds, void *context) {
    int is_set = set_trust(ca_file);
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PROTOCOLS_STR, "https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_CTX_FUNCTION, set_up_tls);
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_BUFFERSIZE, 65536L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    SET(CURLOPT_TIMEOUT_MS, milliseconds);
    if (proxy) SET(CURLOPT_PROXY, proxy);
    if (proxy) SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_HEADERFUNCTION, take_line);
    SET(CURLOPT_HEADERDATA, context);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, context);
    SET(CURLOPT_DEBUGFUNCTION, notice_proxy);
    SET(CURLOPT_VERBOSE, 1L);
    SET(CURLOPT_ERRORBUFFER, current->text);
    return is_set;
}

static CURLcode transfer(void) {
    if (library.curl_multi_add_handle(multi, easy) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    CURLcode code = CURLE_FAILED_INIT;
    // libcurl 7.88 abandons an address in time, but turns to the next one only when it is called again. Until the origin answers,
    // there may be no connection yet.
    enum { BEFORE_ANSWER = 200, AFTERWARDS = 60000 };
    int running = 1;
    while (running) {
        if (library.curl_multi_perform(multi, &running) != CURLM_OK) break;
        // No query comes during a request, so this is the end of promod.
        struct curl_waitfd promod = {.fd = 0, .events = CURL_WAIT_POLLIN};
        if (running && library.curl_multi_poll(multi, &promod, 1, origin ? AFTERWARDS : BEFORE_ANSWER, NULL) != CURLM_OK) break;
        if (promod.revents) _exit(0);
    }
    int left;
    for (CURLMsg *message; (message = library.curl_multi_info_read(multi, &left));)
        if (message->msg == CURLMSG_DONE) code = message->data.result;
    return code;
}

static long long number(CURLINFO info) {
    // Whether it is a long or a curl_off_t, libcurl writes 64 bits.
    long long value = 0;
    library.curl_easy_getinfo(easy, info, &value);
    return value;
}

// Whether HTTP/2 ended before an answer began. The origin may ask for HTTP/1.1, or leave a connection; neither is a failure.
static int is_turned_away(int code) {
    int is_connected = number(CURLINFO_PRETRANSFER_TIME_T) > 0;
    return code != CURLE_OK && code != CURLE_OPERATION_TIMEDOUT && is_connected && is_http2_agreed && !origin;
}

void promod_fetch_perform(
    const char *url, const char *headers, const char *proxy, const char *ca_file, long milliseconds, promod_take *take_bytes,
    void *context, struct promod_outcome *outcome) {
    memset(outcome, 0, sizeof *outcome);
    current = outcome;
    take = take_bytes;
    origin = NULL;
    is_compressed = 0;
    struct curl_slist *list = NULL;
    for (const char *line = headers; *line; line += strlen(line) + 1) list = library.curl_slist_append(list, line);
    int is_set = set_options(url, list, proxy, ca_file, milliseconds, context);
    outcome->code = is_set ? (int)transfer() : (int)CURLE_FAILED_INIT;
    long left = milliseconds - (long)(number(CURLINFO_TOTAL_TIME_T) / 1000);
    if (is_turned_away(outcome->code) && left > 0) {
        library.curl_multi_remove_handle(multi, easy);
        *outcome->text = 0;
        SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
        SET(CURLOPT_FRESH_CONNECT, 1L);
        SET(CURLOPT_TIMEOUT_MS, milliseconds = left);
        outcome->code = is_set ? (int)transfer() : (int)CURLE_FAILED_INIT;
    }
    if (is_compressed && outcome->code == CURLE_OK && !is_at_end) outcome->is_bad_gzip = 1;
    outcome->gzip_offset = offset;
    outcome->system_error = (int)number(CURLINFO_OS_ERRNO);
    outcome->is_connected = number(CURLINFO_PRETRANSFER_TIME_T) > 0;
    outcome->is_deadline = number(CURLINFO_TOTAL_TIME_T) / 1000 + 1 >= milliseconds;
    outcome->verdict = (long)number(CURLINFO_SSL_VERIFYRESULT);
    outcome->proxy_status = (long)number(CURLINFO_HTTP_CONNECTCODE);
    if (!*outcome->text) strncpy(outcome->text, library.curl_easy_strerror((CURLcode)outcome->code), sizeof outcome->text - 1);
    library.curl_multi_remove_handle(multi, easy);
    library.curl_easy_reset(easy);
    library.curl_slist_free_all(list);
}
