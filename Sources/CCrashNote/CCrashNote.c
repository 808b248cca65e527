#define _GNU_SOURCE
#include "CCrashNote.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>

// Everything that a handler calls is async-signal-safe (signal-safety(7)): the process may have crashed anywhere, in malloc too.

static const struct {
    int number;
    const char *name;
} signals[] = {
    {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGSEGV, "SIGSEGV"},
};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

enum { MESSAGE = 200, BUILD_ID = 20 };

static struct sigaction previous[SIGNALS];
static char record_id[33];

static uintptr_t program_start, program_end;
static unsigned char build_id[BUILD_ID];
static size_t build_id_length;

// The messages are written in turn, so that a reader finds a whole one. Two writers at once can mix one up, which harms nothing.
static char messages[2][MESSAGE + 1];
static atomic_int current;

void promod_note_message(const char *text, size_t length) {
    int next = 1 - atomic_load_explicit(&current, memory_order_relaxed);
    if (length > MESSAGE) length = MESSAGE;
    memcpy(messages[next], text, length);
    messages[next][length] = 0;
    atomic_store_explicit(&current, next, memory_order_release);
}

// The note

struct text {
    char bytes[1024];
    size_t length;
};

static void append(struct text *text, const char *more) {
    while (*more && text->length < sizeof text->bytes) text->bytes[text->length++] = *more++;
}

static void append_number(struct text *text, uintptr_t number, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do digits[--at] = "0123456789abcdef"[number % base];
    while (number /= base);
    append(text, digits + at);
}

static void append_address(struct text *text, uintptr_t address) {
    append(text, "0x");
    append_number(text, address, 16);
}

static uintptr_t instruction(const ucontext_t *context) {
#if defined __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "the program counter of this architecture"
#endif
}

static void append_cause(struct text *text, int number, const siginfo_t *info, const ucontext_t *context) {
    const char *name = "a signal";
    for (int at = 0; at < SIGNALS; at++)
        if (signals[at].number == number) name = signals[at].name;
    append(text, name);
    if (info->si_code <= 0) {
        if (info->si_pid == getpid()) return;
        append(text, " from the process ");
        append_number(text, (uintptr_t)info->si_pid, 10);
        return;
    }
    if (number == SIGSEGV || number == SIGBUS) {
        append(text, " at the address ");
        append_address(text, (uintptr_t)info->si_addr);
    }
    uintptr_t at = instruction(context);
    int is_own = at >= program_start && at < program_end;
    append(text, is_own ? ", instruction promod+" : ", instruction ");
    append_address(text, is_own ? at - program_start : at);
}

static void append_place(struct text *text) {
    char thread[17] = "";
    prctl(PR_GET_NAME, thread);
    append(text, ", thread ");
    append(text, thread);
    if (build_id_length > 0) append(text, ", build ID ");
    for (size_t at = 0; at < build_id_length; at++) {
        if (build_id[at] < 16) append(text, "0");
        append_number(text, build_id[at], 16);
    }
    const char *last = messages[atomic_load_explicit(&current, memory_order_acquire)];
    if (*last) {
        append(text, ", after: ");
        append(text, last);
    }
}

static int send_to_journal(const struct text *note) {
    struct sockaddr_un journal = {.sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket"};
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return 0;
    struct text record = {.length = 0};
    append(&record, "PRIORITY=2\nSYSLOG_IDENTIFIER=promod\nPROMOD_EVENT=crashed\nMESSAGE_ID=");
    append(&record, record_id);
    append(&record, "\nMESSAGE=");
    size_t rest = sizeof record.bytes - record.length - 1;
    size_t length = note->length < rest ? note->length : rest;
    memcpy(record.bytes + record.length, note->bytes, length);
    record.length += length;
    record.bytes[record.length++] = '\n';
    ssize_t sent = sendto(descriptor, record.bytes, record.length, MSG_NOSIGNAL, (struct sockaddr *)&journal, sizeof journal);
    close(descriptor);
    return sent == (ssize_t)record.length;
}

static void write_note(int number, const siginfo_t *info, const ucontext_t *context) {
    struct text note = {.length = 0};
    append(&note, "promod crashed: ");
    append_cause(&note, number, info, context);
    append_place(&note);
    if (*record_id && send_to_journal(&note)) return;
    if (note.length == sizeof note.bytes) note.length--;
    note.bytes[note.length++] = '\n';
    if (write(STDERR_FILENO, note.bytes, note.length) < 0) return;
}

// The handlers

static void pass_on(int number, siginfo_t *info, void *context) {
    struct sigaction before = {.sa_handler = SIG_DFL};
    for (int at = 0; at < SIGNALS; at++)
        if (signals[at].number == number) before = previous[at];
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(number);
    }
    // A fault happens again when the handler returns, and then ends the process. A signal that was sent does not: Swift's backtracer
    // would print a trace, and the process would go on.
    signal(number, SIG_DFL);
    if (info->si_code <= 0) raise(number);
}

static void handle(int number, siginfo_t *info, void *context) {
    static atomic_int crashed;
    int error = errno, none = 0, self = (int)syscall(SYS_gettid);
    if (atomic_compare_exchange_strong(&crashed, &none, self)) {
        write_note(number, info, context);
    } else if (none != self) {
        // Another thread has crashed. If this one ended the process now, the trace of that one would be lost.
        for (;;) pause();
    }
    pass_on(number, info, context);
    errno = error;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int at = 0; at < info->dlpi_phnum; at++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[at];
        uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        if (header->p_type == PT_LOAD && end > program_end) program_end = end;
        if (header->p_type != PT_NOTE) continue;
        for (uintptr_t note = start; note + sizeof(ElfW(Nhdr)) <= end;) {
            const ElfW(Nhdr) *one = (const ElfW(Nhdr) *)note;
            uintptr_t name = note + sizeof *one, content = name + ((one->n_namesz + 3u) & ~3u);
            if (one->n_type == NT_GNU_BUILD_ID && one->n_namesz == 4 && memcmp((const char *)name, "GNU", 4) == 0) {
                build_id_length = one->n_descsz < BUILD_ID ? one->n_descsz : BUILD_ID;
                memcpy(build_id, (const void *)content, build_id_length);
            }
            note = content + ((one->n_descsz + 3u) & ~3u);
        }
    }
    program_start = info->dlpi_addr;
    return 1; // The program is the first; libraries follow.
}

void promod_note_crashes(const char *message_id) {
    if (message_id) strncpy(record_id, message_id, sizeof record_id - 1);
    dl_iterate_phdr(find_program, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int at = 0; at < SIGNALS; at++) sigaction(signals[at].number, &action, &previous[at]);
}
