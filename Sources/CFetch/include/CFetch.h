#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>

// What the fetching process uses of libcurl, OpenSSL and zlib, and how it confines itself, for one thread. The libraries are loaded when
// they are needed, so that the daemon never maps them.

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
enum {
    CODE_OK = 0, CODE_UNSUPPORTED_PROTOCOL = 1, CODE_COULDNT_RESOLVE_PROXY = 5, CODE_COULDNT_RESOLVE_HOST = 6, CODE_COULDNT_CONNECT = 7,
    CODE_WEIRD_SERVER_REPLY = 8, CODE_HTTP2 = 16, CODE_PARTIAL_FILE = 18, CODE_OUT_OF_MEMORY = 27, CODE_OPERATION_TIMEDOUT = 28,
    CODE_SSL_CONNECT_ERROR = 35, CODE_GOT_NOTHING = 52, CODE_SEND_ERROR = 55, CODE_RECV_ERROR = 56, CODE_PEER_FAILED_VERIFICATION = 60, CODE_SSL_CACERT_BADFILE = 77,
    CODE_HTTP2_STREAM = 92, CODE_PROXY = 97,
};

/// How a request ended.
struct promod_outcome {
    /// libcurl's code.
    int code;
    /// errno of the last system call that failed to connect.
    int system_error;
    /// Whether there was a connection, through the proxy if there is one, on which the request could be sent.
    int is_connected;
    /// Whether the time limit of the request was reached, and not only that of a connection.
    int is_deadline;
    /// Whether the peer has announced the end of what it sends (close_notify).
    int is_closed;
    /// Whether the protocol is HTTP/2, whose streams have ends of their own.
    int is_http2;
    /// Whether the body is not in the format of gzip or zlib, or ends too early.
    int is_bad_gzip;
    /// The bytes of the body that were valid.
    long long gzip_offset;
    /// OpenSSL's verdict on the certificate (X509_V_ERR_…); 0 if it is trusted, or was not looked at.
    long verdict;
    /// The status with which the proxy answered CONNECT; 0 if it did not.
    long proxy_status;
    /// The variable that named the proxy; empty if there was none, or if the request named it.
    char proxy_variable[16];
    /// libcurl's words.
    char text[256];
};

enum {
    /// The answer to the end of a head whose body must be decompressed.
    PROMOD_DECOMPRESS = 2,
    /// The longest part of a body, in bytes.
    PROMOD_MAXIMUM_PART = 1 << 16,
};

/// Takes a line of a head or of trailers, with its line break, or a part of the body. It returns 0 to end the request.
typedef int promod_take(void *context, int is_line, const uint8_t *bytes, size_t count);

/// Performs a GET request; an input on descriptor 0, or its end, ends the process. If HTTP/2 ends before the answer begins, the request
/// is repeated once over HTTP/1.1.
///
/// Each line of the header ends with a NUL, and the last one with two. If the proxy is empty there is none; if it is NULL, the
/// environment decides.
void promod_fetch_perform(
    const char *url, const char *headers, const char *proxy, const char *ca_file, long milliseconds, promod_take *take, void *context,
    struct promod_outcome *outcome);

/// Begins a stream of gzip (RFC 1952) or zlib (RFC 1950) members, which zeros may follow, in this thread; 0 without memory.
int promod_gunzip_begin(void);

/// Decompresses the next bytes. Returns 1, 0 if the receiver of the parts ended it, or -1 if they are not valid.
int promod_gunzip(const uint8_t *bytes, size_t count, promod_take *take, void *context);

/// Whether the stream could end here.
int promod_gunzip_is_whole(void);

/// The number of bytes that were valid; those after them are not, if the stream is not.
long long promod_gunzip_offset(void);

#endif
