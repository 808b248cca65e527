#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>

// What the fetching process uses of libcurl and zlib, and how it confines itself, for one thread. The libraries are loaded when they are
// needed, so that the daemon never maps them.

/// Loads the libraries; NULL, or why they cannot be loaded, as a clause.
const char *promod_fetch_load(void);

/// Confines the process, which can from then on open only what a request needs, and a file of certificates if one is named.
///
/// As far as the kernel can forbid it, the process can neither write to a file, change one, start a program or a process, nor connect to
/// a local socket.
void promod_fetch_confine(const char *ca_file);

/// Limits the processor time from now on, in seconds; SIGXCPU ends the process after that.
void promod_fetch_allow_seconds(unsigned seconds);

/// The codes of libcurl that promod distinguishes. (Its header would bring the C library's into every module.)
#define PROMOD_CURL_CODES(use)                                                                                                     \
    use(OK, 0) use(UNSUPPORTED_PROTOCOL, 1) use(URL_MALFORMAT, 3) use(COULDNT_RESOLVE_PROXY, 5) use(COULDNT_RESOLVE_HOST, 6)       \
    use(COULDNT_CONNECT, 7) use(WEIRD_SERVER_REPLY, 8) use(WRITE_ERROR, 23) use(OPERATION_TIMEDOUT, 28) use(SSL_CONNECT_ERROR, 35) \
    use(ABORTED_BY_CALLBACK, 42) use(TOO_MANY_REDIRECTS, 47) use(PEER_FAILED_VERIFICATION, 60) use(SSL_CACERT_BADFILE, 77)         \
    use(PROXY, 97)

enum {
#define PROMOD_CURL_CODE(name, number) PROMOD_CURL_##name = number,
    PROMOD_CURL_CODES(PROMOD_CURL_CODE)
    /// A library cannot be loaded.
    PROMOD_NO_LIBRARY = -1,
    /// The body is larger than the request allows, as it was sent or decompressed.
    PROMOD_TOO_LARGE = -2,
    /// The body is not gzip, or ends too early.
    PROMOD_BAD_GZIP = -3,
};

/// How an exchange ended.
struct promod_answer {
    /// A code of libcurl's, or one of promod's.
    int code;
    /// errno of the last system call that failed to connect.
    int system_error;
    /// OpenSSL's verdict on the certificate (X509_V_ERR_…); 0 if it is trusted, or was not looked at.
    int verdict;
    /// The status with which the proxy answered CONNECT; 0 if it did not.
    int proxy_status;
    /// The status of the last head; 0 if none came.
    long status;
    /// Whether there were redirects, all of them permanent.
    int is_moved;
    /// The words after the status.
    char phrase[256];
    /// The variable that named the proxy; empty if there was none, or if the request named it.
    char proxy_variable[16];
    /// libcurl's words.
    char text[256];
    /// The length of the body of a 200, decompressed.
    size_t count;
};

/// Performs a GET request and follows its redirects; an input on descriptor 0, or its end, ends the process.
///
/// Each line of the header ends with a NUL, and the last one with two. The credentials are `user:password`, or NULL. If the proxy is
/// empty there is none; if it is NULL, the environment decides. The patience limits the time before the answer begins, and each time in
/// which nothing comes.
void promod_fetch_perform(
    const char *url, const char *headers, const char *credentials, const char *proxy, const char *ca_file, size_t maximum_bytes,
    long patience_milliseconds, long milliseconds, struct promod_answer *answer);

// What came stays until the next exchange.

/// The body of a 200, decompressed.
const uint8_t *promod_fetch_body(void);

/// The address of the last request.
const char *promod_fetch_address(void);

/// The value of a field in the last head; NULL if there is none.
const char *promod_fetch_field(const char *name);

/// The date in a field of the last head, in seconds since 1970; -1 if there is none.
int64_t promod_fetch_time(const char *name);

/// Decompresses gzip members (RFC 1952), which zeros may follow. Returns the number of bytes, PROMOD_TOO_LARGE or PROMOD_BAD_GZIP.
long promod_gunzip(const uint8_t *bytes, size_t count, uint8_t *decoded, size_t size);

#endif
