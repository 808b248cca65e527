#define _GNU_SOURCE
// The macros' checks of types work on calls of the functions by name.
#define CURL_DISABLE_TYPECHECK
#include "CFetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

// libcurl.so.4 needs OpenSSL's libraries, and is asked for their functions too.
#define CURL_FUNCTIONS(use)                                                                                                        \
    use(curl_global_init) use(curl_version_info) use(curl_easy_init) use(curl_easy_reset) use(curl_easy_setopt)                    \
    use(curl_easy_getinfo) use(curl_easy_strerror) use(curl_slist_append) use(curl_slist_free_all) use(curl_multi_init)            \
    use(curl_multi_add_handle) use(curl_multi_remove_handle) use(curl_multi_perform) use(curl_multi_poll)                          \
    use(curl_multi_info_read) use(curl_url) use(curl_url_set) use(curl_url_get) use(curl_url_cleanup) use(curl_free)               \
    use(SSL_CTX_set_verify) use(SSL_CTX_set_info_callback) use(SSL_get0_alpn_selected) use(SSL_CTX_set_client_cert_cb)             \
    use(X509_STORE_CTX_get_error) use(X509_STORE_CTX_get_error_depth) use(X509_STORE_CTX_get_current_cert)                         \
    use(X509_STORE_CTX_get0_untrusted) use(OPENSSL_sk_num) use(X509_get_subject_name) use(X509_get_issuer_name)                    \
    use(X509_NAME_entry_count) use(X509_NAME_get_entry) use(X509_NAME_ENTRY_get_data) use(ASN1_STRING_to_UTF8)                     \
    use(CRYPTO_free) use(X509_get0_notBefore) use(X509_get0_notAfter) use(ASN1_TIME_to_tm)
#define ZLIB_FUNCTIONS(use) use(inflateInit2_) use(inflate) use(inflateReset) use(inflateEnd) use(zlibVersion)

#define IS_CODE(name) _Static_assert((int)CODE_##name == (int)CURLE_##name, #name);
IS_CODE(OK) IS_CODE(UNSUPPORTED_PROTOCOL) IS_CODE(COULDNT_RESOLVE_PROXY) IS_CODE(COULDNT_RESOLVE_HOST)
IS_CODE(COULDNT_CONNECT) IS_CODE(WEIRD_SERVER_REPLY) IS_CODE(HTTP2) IS_CODE(PARTIAL_FILE) IS_CODE(OUT_OF_MEMORY)
IS_CODE(OPERATION_TIMEDOUT) IS_CODE(SSL_CONNECT_ERROR) IS_CODE(GOT_NOTHING) IS_CODE(SEND_ERROR) IS_CODE(RECV_ERROR)
IS_CODE(PEER_FAILED_VERIFICATION) IS_CODE(SSL_CACERT_BADFILE) IS_CODE(HTTP2_STREAM) IS_CODE(PROXY)

#define POINTER(name) __typeof__(&name) name;
#define LOOK_UP(name)                                                                                                              \
    if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return #name " is missing in it";

static struct {
    CURL_FUNCTIONS(POINTER)
    ZLIB_FUNCTIONS(POINTER)
} library;

static CURL *easy;
static CURLM *multi;
static struct curl_blob trusted;
static struct promod_outcome *current;

static const char *load_curl(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY);
    if (!handle) return dlerror();
    CURL_FUNCTIONS(LOOK_UP)
    return NULL;
}

static const char *load_zlib(void) {
    void *handle = dlopen("libz.so.1", RTLD_LAZY);
    if (!handle) return dlerror();
    ZLIB_FUNCTIONS(LOOK_UP)
    return NULL;
}

const char *promod_fetch_load(void) {
    const char *problem = load_curl();
    if (!problem) problem = load_zlib();
    if (problem) return problem;
    if (library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "libcurl cannot be initialised";
    easy = library.curl_easy_init();
    multi = library.curl_multi_init();
    return easy && multi ? NULL : "libcurl has no memory";
}

const char *promod_fetch_versions(void) {
    static char text[256];
    const curl_version_info_data *curl = library.curl_version_info(CURLVERSION_NOW);
    snprintf(text, sizeof text, "libcurl/%s %s zlib/%s", curl->version, curl->ssl_version, library.zlibVersion());
    return text;
}

int promod_fetch_trust(const char *path) {
    enum { MAXIMUM = 4 << 20 };
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), problem = 0;
    if (descriptor < 0) return errno;
    struct stat status;
    if (fstat(descriptor, &status) != 0) problem = errno;
    else if (!S_ISREG(status.st_mode)) problem = EINVAL;
    else if (status.st_size > MAXIMUM) problem = EFBIG;
    char *bytes = problem ? NULL : malloc(MAXIMUM);
    if (!problem && !bytes) problem = ENOMEM;
    size_t count = 0;
    while (!problem && count < MAXIMUM) {
        ssize_t more = read(descriptor, bytes + count, MAXIMUM - count);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) problem = errno;
        if (more <= 0) break;
        count += (size_t)more;
    }
    close(descriptor);
    if (problem) free(bytes);
    else trusted = (struct curl_blob){.data = bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return problem;
}

// Certificates

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return time && library.ASN1_TIME_to_tm(time, &parts) ? (int64_t)timegm(&parts) : 0;
}

static void write_names(X509_NAME *name, char *buffer, size_t size) {
    size_t used = 0;
    int count = name ? library.X509_NAME_entry_count(name) : 0;
    for (int index = 0; index < count; index++) {
        unsigned char *text = NULL;
        int length = library.ASN1_STRING_to_UTF8(
            &text, library.X509_NAME_ENTRY_get_data(library.X509_NAME_get_entry(name, index)));
        if (length > 0 && used + (size_t)length + 2 <= size) {
            memcpy(buffer + used, text, (size_t)length);
            used += (size_t)length;
            buffer[used++] = '\n';
        }
        if (length >= 0) library.CRYPTO_free(text, __FILE__, __LINE__);
    }
    buffer[used] = 0;
}

static int verify(int is_good, X509_STORE_CTX *store) {
    if (is_good) return is_good;
    X509 *certificate = library.X509_STORE_CTX_get_current_cert(store);
    current->certificate_error = library.X509_STORE_CTX_get_error(store);
    current->certificate_depth = library.X509_STORE_CTX_get_error_depth(store);
    current->certificates_sent = library.OPENSSL_sk_num((OPENSSL_STACK *)library.X509_STORE_CTX_get0_untrusted(store));
    if (!certificate) return is_good;
    current->not_before = seconds(library.X509_get0_notBefore(certificate));
    current->not_after = seconds(library.X509_get0_notAfter(certificate));
    write_names(library.X509_get_subject_name(certificate), current->subject, sizeof current->subject);
    write_names(library.X509_get_issuer_name(certificate), current->issuer, sizeof current->issuer);
    return is_good;
}

// The connection with the origin, once it has answered; a proxy may have one of its own.
static const SSL *origin;

static void notice_alert(const SSL *ssl, int place, int value) {
    if (ssl == origin && place == SSL_CB_READ_ALERT && (value & 0xff) == SSL_AD_CLOSE_NOTIFY) current->is_closed = 1;
}

static int have_no_certificate(SSL *ssl, X509 **certificate, EVP_PKEY **key) {
    (void)ssl, (void)certificate, (void)key;
    current->wants_certificate = 1;
    return 0;
}

static CURLcode set_up_tls(CURL *handle, void *context, void *data) {
    (void)handle, (void)data;
    library.SSL_CTX_set_verify(context, SSL_VERIFY_PEER, verify);
    library.SSL_CTX_set_info_callback(context, notice_alert);
    library.SSL_CTX_set_client_cert_cb(context, have_no_certificate);
    return CURLE_OK;
}

// A request

static int notice(CURL *handle, curl_infotype type, char *bytes, size_t count, void *data) {
    // What libcurl says for people is its only word on which variable it followed.
    static const char prefix[] = "Uses proxy env variable ";
    (void)handle, (void)data;
    size_t skipped = sizeof prefix - 1;
    if (type != CURLINFO_TEXT || count <= skipped || memcmp(bytes, prefix, skipped) != 0) return 0;
    size_t length = 0;
    while (skipped + length < count && bytes[skipped + length] != ' ') length++;
    if (length >= sizeof current->proxy_variable || memcmp(bytes + skipped, "no_", 3) == 0
        || memcmp(bytes + skipped, "NO_", 3) == 0)
        return 0;
    memcpy(current->proxy_variable, bytes + skipped, length);
    current->proxy_variable[length] = 0;
    return 0;
}

// What a response says of its version is the origin's word; this is what both agreed on.
static void look_at_connection(void) {
    struct curl_tlssessioninfo *session = NULL;
    const unsigned char *protocol = NULL;
    unsigned length = 0;
    library.curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    origin = session ? session->internals : NULL;
    if (origin) library.SSL_get0_alpn_selected(origin, &protocol, &length);
    current->is_http1 = !(length == 2 && memcmp(protocol, "h2", 2) == 0);
}

static size_t take_line(char *bytes, size_t size, size_t count, void *data) {
    const struct promod_request *request = data;
    if (!origin) look_at_connection();
    return request->line(request->context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    const struct promod_request *request = data;
    return request->body(request->context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static int set_trust(void) {
    // The directory holds a file for each certificate, of which the needed one is read, and not all of them.
    const char *directory = library.curl_version_info(CURLVERSION_NOW)->capath;
    int is_set = 1;
    if (directory) {
        is_set &= library.curl_easy_setopt(easy, CURLOPT_CAINFO, NULL) == CURLE_OK;
        is_set &= library.curl_easy_setopt(easy, CURLOPT_CAPATH, directory) == CURLE_OK;
        is_set &= library.curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, NULL) == CURLE_OK;
        is_set &= library.curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, directory) == CURLE_OK;
    }
    if (trusted.data) {
        is_set &= library.curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &trusted) == CURLE_OK;
        is_set &= library.curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO_BLOB, &trusted) == CURLE_OK;
    }
    return is_set;
}

static int set_options(const struct promod_request *request, struct curl_slist *headers) {
    int is_set = set_trust();
#define SET(option, value) is_set &= library.curl_easy_setopt(easy, option, value) == CURLE_OK
    SET(CURLOPT_URL, request->url);
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
    SET(CURLOPT_TIMEOUT_MS, request->milliseconds);
    if (request->proxy) SET(CURLOPT_PROXY, request->proxy);
    if (request->proxy) SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_HEADERFUNCTION, take_line);
    SET(CURLOPT_HEADERDATA, request);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, request);
    SET(CURLOPT_DEBUGFUNCTION, notice);
    SET(CURLOPT_VERBOSE, 1L);
    SET(CURLOPT_ERRORBUFFER, current->text);
#undef SET
    return is_set;
}

static CURLcode transfer(void) {
    if (library.curl_multi_add_handle(multi, easy) != CURLM_OK) return CURLE_OUT_OF_MEMORY;
    CURLcode code = CURLE_FAILED_INIT;
    // libcurl 7.88 gives up an address in time, and turns to the next one only when it is called again. Until the origin answers, a
    // connection may still be missing.
    enum { BEFORE_ANSWER = 200, AFTERWARDS = 60000 };
    int running = 1;
    while (running) {
        if (library.curl_multi_perform(multi, &running) != CURLM_OK) break;
        // Nobody asks while a request is under way, so this is promod's end.
        struct curl_waitfd promod = {.fd = 0, .events = CURL_WAIT_POLLIN};
        if (running && library.curl_multi_poll(multi, &promod, 1, origin ? AFTERWARDS : BEFORE_ANSWER, NULL) != CURLM_OK) break;
        if (promod.revents) _exit(0);
    }
    int left;
    for (CURLMsg *message; (message = library.curl_multi_info_read(multi, &left));)
        if (message->msg == CURLMSG_DONE) code = message->data.result;
    return code;
}

static long number(CURLINFO info) {
    long value = 0;
    library.curl_easy_getinfo(easy, info, &value);
    return value;
}

static curl_off_t microseconds(CURLINFO info) {
    curl_off_t value = 0;
    library.curl_easy_getinfo(easy, info, &value);
    return value;
}

void promod_fetch_perform(const struct promod_request *request, struct promod_outcome *outcome) {
    memset(outcome, 0, sizeof *outcome);
    outcome->is_http1 = 1;
    current = outcome;
    origin = NULL;
    struct curl_slist *headers = NULL;
    for (const char *line = request->headers; *line; line += strlen(line) + 1) {
        struct curl_slist *longer = library.curl_slist_append(headers, line);
        if (!longer) break;
        headers = longer;
    }
    outcome->code = set_options(request, headers) ? (int)transfer() : (int)CURLE_FAILED_INIT;
    outcome->system_error = (int)number(CURLINFO_OS_ERRNO);
    outcome->is_connected = microseconds(CURLINFO_PRETRANSFER_TIME_T) > 0;
    outcome->is_deadline = microseconds(CURLINFO_TOTAL_TIME_T) / 1000 + 1 >= request->milliseconds;
    outcome->proxy_status = number(CURLINFO_HTTP_CONNECTCODE);
    if (!*outcome->text) strncpy(outcome->text, library.curl_easy_strerror((CURLcode)outcome->code), sizeof outcome->text - 1);
    library.curl_multi_remove_handle(multi, easy);
    library.curl_easy_reset(easy);
    library.curl_slist_free_all(headers);
}

int promod_fetch_resolve(const char *base, const char *address, char *buffer, size_t size) {
    char *text = NULL;
    CURLU *url = library.curl_url();
    int is_valid = url && library.curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK
        && library.curl_url_set(url, CURLUPART_URL, address, CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK
        && library.curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK && strlen(text) < size;
    if (is_valid) strcpy(buffer, text);
    library.curl_free(text);
    library.curl_url_cleanup(url);
    return is_valid;
}

// Compression

struct promod_inflater {
    z_stream stream;
};

struct promod_inflater *promod_inflater_open(void) {
    // The format is found out by the first bytes.
    enum { ANY_FORMAT = 15 + 32 };
    struct promod_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater
        && library.inflateInit2_(&inflater->stream, ANY_FORMAT, library.zlibVersion(), (int)sizeof inflater->stream) == Z_OK)
        return inflater;
    free(inflater);
    return NULL;
}

void promod_inflater_close(struct promod_inflater *inflater) {
    if (inflater) library.inflateEnd(&inflater->stream);
    free(inflater);
}

int promod_inflater_run(
    struct promod_inflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    z_stream *stream = &inflater->stream;
    stream->next_in = (uint8_t *)input;
    stream->avail_in = (uInt)*input_count;
    stream->next_out = output;
    stream->avail_out = (uInt)*output_count;
    int status = library.inflate(stream, Z_NO_FLUSH);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    if (status == Z_STREAM_END) return library.inflateReset(stream) == Z_OK ? 1 : -1;
    // Without input or room, nothing is wrong.
    return status == Z_OK || status == Z_BUF_ERROR ? 0 : -1;
}
