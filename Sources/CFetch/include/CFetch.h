#ifndef CFETCH_H
#define CFETCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the fetching process takes from libcurl, OpenSSL and zlib, which are loaded when they are needed, so that the daemon's process
// never maps them; and how it confines itself. All of this is for one thread.

/// Starts this program again with other arguments and variables, each ending with a NUL, and the last one with two. The process
/// reads queries from descriptor 0 and writes answers to 1; it has /dev/null as 2, no others, no terminal, and no signals blocked
/// or ignored. The ends for its parent are a socket for queries, and a pipe for answers that is non-blocking.
/// Returns the process's number, or a negative errno.
pid_t promod_fetch_spawn(const char *arguments, const char *variables, int *queries, int *answers);

/// Kills a process that was started so.
void promod_fetch_kill(pid_t process);

/// Loads the libraries; NULL, or what is missing, as a clause.
const char *promod_fetch_load(void);

/// The versions of the libraries, which must have been loaded.
const char *promod_fetch_versions(void);

/// The process's limits, once nothing more has to be opened but what a request needs. The names are of directories that stay unread;
/// each ends with a NUL, and the last one with two.
///
/// From then on the process can neither write to a file, change one, start a program or a process, nor connect to a socket of this
/// machine's; each of them as far as the kernel can forbid it.
void promod_fetch_confine(const char *hidden);

/// Gives the process so many more seconds of processor time, and SIGXCPU after them.
void promod_fetch_allow_seconds(unsigned seconds);

/// Reads a file of certificates for later requests; 0, or errno. A file of more than 4 MiB is EFBIG.
int promod_fetch_trust(const char *path);

/// One GET request.
struct promod_request {
    const char *url;
    /// The header's lines; each ends with a NUL, and the last one with two.
    const char *headers;
    /// The proxy's address; empty for none, NULL for what the environment says.
    const char *proxy;
    long milliseconds;
    void *context;
    /// Takes a line of a head or of trailers, with its line break. It returns whether to go on.
    int (*line)(void *context, const uint8_t *bytes, size_t count);
    /// Takes a part of the body as it was sent. It returns whether to go on.
    int (*body)(void *context, const uint8_t *bytes, size_t count);
};

/// Those of libcurl's codes that promod tells apart. (Its header would bring the C library's with it into every module.)
enum {
    CODE_OK = 0,
    CODE_UNSUPPORTED_PROTOCOL = 1,
    CODE_COULDNT_RESOLVE_PROXY = 5,
    CODE_COULDNT_RESOLVE_HOST = 6,
    CODE_COULDNT_CONNECT = 7,
    CODE_WEIRD_SERVER_REPLY = 8,
    CODE_HTTP2 = 16,
    CODE_PARTIAL_FILE = 18,
    CODE_OUT_OF_MEMORY = 27,
    CODE_OPERATION_TIMEDOUT = 28,
    CODE_SSL_CONNECT_ERROR = 35,
    CODE_GOT_NOTHING = 52,
    CODE_SEND_ERROR = 55,
    CODE_RECV_ERROR = 56,
    CODE_PEER_FAILED_VERIFICATION = 60,
    CODE_SSL_CACERT_BADFILE = 77,
    CODE_HTTP2_STREAM = 92,
    CODE_PROXY = 97,
};

/// How a request ended.
struct promod_outcome {
    /// libcurl's code.
    int code;
    /// errno of the last system call that failed to connect.
    int system_error;
    /// Whether there was a connection, through the proxy if there is one, on which the request could be sent.
    int is_connected;
    /// Whether the time for the whole request was over, not only that for a connection.
    int is_deadline;
    /// Whether the peer said that it has sent everything (close_notify).
    int is_closed;
    /// Whether the server asked for a certificate of promod's.
    int wants_certificate;
    /// Whether the response came by HTTP/1.
    int is_http1;
    /// The status with which the proxy answered CONNECT; 0 if it did not.
    long proxy_status;
    /// The variable whose proxy was used; empty for none, or if the request named one.
    char proxy_variable[16];
    /// libcurl's words.
    char text[256];
    /// Why a certificate was refused, as X509_V_ERR_EXPIRED and so on; 0 if OpenSSL refused none.
    int certificate_error;
    /// Which one: 0 for the server's own.
    int certificate_depth;
    /// How many the server sent.
    int certificates_sent;
    int64_t not_before, not_after;
    /// Its names in UTF-8, each ending with a line break.
    char subject[1024], issuer[1024];
};

/// Performs a request; an input on descriptor 0, or its end, ends the process.
void promod_fetch_perform(const struct promod_request *request, struct promod_outcome *outcome);

/// Resolves an address relative to another, and writes it with a NUL; 0 if it is not valid, or longer than the buffer.
int promod_fetch_resolve(const char *base, const char *address, char *buffer, size_t size);

/// A stream of gzip (RFC 1952) or zlib (RFC 1950) members.
struct promod_inflater;

/// A stream at its beginning; NULL without memory. The libraries must have been loaded.
struct promod_inflater *promod_inflater_open(void);

void promod_inflater_close(struct promod_inflater *inflater);

/// Decompresses as much as there is input and room for; the counts become those of what was used. Returns 1 at the end of a member, 0
/// before it, and -1 for what is not valid.
int promod_inflater_run(
    struct promod_inflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count);

#endif
