#define _GNU_SOURCE
#include "CFetch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Later than the headers of Debian 12.
#define ACCESS_FS_TRUNCATE (1ULL << 14)
#define ACCESS_FS_IOCTL_DEV (1ULL << 15)
#define ACCESS_NET_BIND_TCP (1ULL << 0)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#define READ_RIGHTS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

struct ruleset_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

enum { MAXIMUM_HIDDEN = 32 };

// The real paths of what stays unread.
static char *hidden_paths[MAXIMUM_HIDDEN];
static int hidden_count;

static void hide(const char *path) {
    char *real = realpath(path, NULL);
    // Without a root, nothing could be read.
    if (real && strcmp(real, "/") != 0 && hidden_count < MAXIMUM_HIDDEN) hidden_paths[hidden_count++] = real;
    else free(real);
}

static int is_hidden(const char *path) {
    for (int index = 0; index < hidden_count; index++)
        if (strcmp(hidden_paths[index], path) == 0) return 1;
    return 0;
}

static int holds_hidden(const char *path) {
    size_t length = strlen(path);
    for (int index = 0; index < hidden_count; index++)
        if (strncmp(hidden_paths[index], path, length) == 0 && hidden_paths[index][length] == '/') return 1;
    return 0;
}

static void allow(int ruleset, const char *path, uint64_t rights) {
    struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW)};
    struct stat status;
    if (rule.parent_fd < 0) return;
    if (fstat(rule.parent_fd, &status) == 0 && !S_ISLNK(status.st_mode)) {
        rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & LANDLOCK_ACCESS_FS_READ_FILE;
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(rule.parent_fd);
}

static void allow_visible(int ruleset, const char *path);

/// Allows reading everything in a directory but what is hidden. Landlock knows no exceptions, so beside a hidden path each is named.
static void allow_rest(int ruleset, const char *directory) {
    DIR *stream = opendir(directory);
    if (!stream) return;
    for (struct dirent *entry; (entry = readdir(stream));) {
        char path[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) < (int)sizeof path) allow_visible(ruleset, path);
    }
    closedir(stream);
}

static void allow_visible(int ruleset, const char *path) {
    if (is_hidden(path)) return;
    if (holds_hidden(path)) allow_rest(ruleset, path);
    else allow(ruleset, path, READ_RIGHTS);
}

static void confine_files(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return;
    // Without a rule, whatever is handled is denied. Each version handles one right to change files more.
    struct ruleset_attributes attributes = {.handled_access_fs = (1ULL << 13) - 1};
    size_t size = sizeof attributes.handled_access_fs;
    if (version >= 2) attributes.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3) attributes.handled_access_fs |= ACCESS_FS_TRUNCATE;
    if (version >= 5) attributes.handled_access_fs |= ACCESS_FS_IOCTL_DEV;
    if (version >= 4) attributes.handled_access_net = ACCESS_NET_BIND_TCP, size += sizeof attributes.handled_access_net;
    if (version >= 6) attributes.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL, size += sizeof attributes.scoped;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return;
    // Libraries, certificates, and what the name service reads. Not /proc, /dev, /run and /var as wholes: other processes' environments,
    // terminals, cameras, mail, journals and disks that were plugged in are none of a fetch's business.
    static const char *const needed[] = {
        "/bin", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/nix", "/opt",
        "/run/NetworkManager", "/run/current-system", "/run/netconfig", "/run/resolvconf", "/run/systemd/resolve", "/sbin",
        "/sys/devices/system/cpu", "/usr", "/var/db", "/var/lib/ca-certificates", "/var/lib/sss"};
    for (size_t index = 0; index < sizeof needed / sizeof *needed; index++) allow_visible(ruleset, needed[index]);
    char *resolver = realpath("/etc/resolv.conf", NULL);
    if (resolver) allow(ruleset, resolver, READ_RIGHTS);
    free(resolver);
    syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
}

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define NATIVE AUDIT_ARCH_RISCV64
#else
#error "The architecture's name for seccomp(2) is missing."
#endif

// fchmodat2, of Linux 6.6. All architectures count alike from 424 on.
#define FIRST_UNKNOWN_CALL 452

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument, in little-endian order.
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(number) RETURN(SECCOMP_RET_ERRNO | (number))
#define EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define DENY(call) EQUAL(SYS_##call, 0, 1), REFUSE(EPERM)

/// Denies what no fetch needs and a stolen process would. A list of what is needed would fail with the next C library.
static void confine_calls(void) {
    struct sock_filter filter[] = {
        LOAD(arch), EQUAL(NATIVE, 1, 0), REFUSE(ENOSYS), LOAD(nr),
        // Calls that came after this list, and those of x32. The C library falls back to older ones.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN_CALL, 0, 1), REFUSE(ENOSYS),
        // Other programs, and other processes.
        DENY(execve), DENY(execveat), DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(kill), DENY(tkill),
        DENY(rt_sigqueueinfo), DENY(rt_tgsigqueueinfo), DENY(pidfd_open), DENY(pidfd_getfd), DENY(pidfd_send_signal), DENY(setns),
        DENY(unshare), DENY(kcmp), DENY(perf_event_open),
        DENY(setpriority), DENY(ioprio_set), DENY(sched_setaffinity), DENY(sched_setattr), DENY(sched_setparam), DENY(sched_setscheduler),
        // Memory and messages that processes share.
        DENY(shmget), DENY(shmat), DENY(shmctl), DENY(msgget), DENY(msgsnd), DENY(msgrcv), DENY(msgctl), DENY(semget), DENY(semctl),
        DENY(semtimedop), DENY(mq_open), DENY(mq_unlink),
        // The attributes of files, which Landlock does not know, and what it learnt later.
        DENY(truncate), DENY(ftruncate), DENY(inotify_init1), DENY(fanotify_init),
        DENY(fchmod), DENY(fchmodat), DENY(fchown), DENY(fchownat), DENY(utimensat), DENY(setxattr), DENY(lsetxattr), DENY(fsetxattr),
        DENY(removexattr), DENY(lremovexattr), DENY(fremovexattr),
#if defined(__x86_64__)
        DENY(chmod), DENY(chown), DENY(lchown), DENY(utime), DENY(utimes), DENY(futimesat), DENY(fork), DENY(vfork),
        DENY(inotify_init), DENY(semop),
#endif
        // The kernel's larger interfaces.
        DENY(bpf), DENY(io_uring_setup), DENY(io_uring_enter), DENY(io_uring_register), DENY(userfaultfd), DENY(keyctl), DENY(add_key),
        DENY(request_key), DENY(open_by_handle_at), DENY(mount), DENY(umount2), DENY(pivot_root), DENY(chroot), DENY(init_module),
        DENY(finit_module), DENY(delete_module), DENY(kexec_load), DENY(swapon), DENY(swapoff), DENY(listen), DENY(accept), DENY(accept4),
        // The C library falls back to clone, whose flags are passed by value, so that the filter sees them.
        EQUAL(SYS_clone3, 0, 1), REFUSE(ENOSYS),
        EQUAL(SYS_clone, 0, 4), LOAD_ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EPERM),
        // No signals but to itself.
        EQUAL(SYS_tgkill, 0, 4), LOAD_ARGUMENT(0), EQUAL((unsigned)getpid(), 0, 1), RETURN(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        // No limits but its own.
        EQUAL(SYS_prlimit64, 0, 4), LOAD_ARGUMENT(0), EQUAL(0, 0, 1), RETURN(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        // The kernel would send a signal for it.
        EQUAL(SYS_fcntl, 0, 6), LOAD_ARGUMENT(1), EQUAL(F_SETOWN, 3, 0), EQUAL(F_SETOWN_EX, 2, 0), EQUAL(F_SETSIG, 1, 0),
        RETURN(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        // The same, and typing into a terminal.
        EQUAL(SYS_ioctl, 0, 7), LOAD_ARGUMENT(1), EQUAL(FIOSETOWN, 4, 0), EQUAL(SIOCSPGRP, 3, 0), EQUAL(TIOCSTI, 2, 0),
        EQUAL(TIOCLINUX, 1, 0), RETURN(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        // A bus or an agent at a socket of this machine's would do outside what this process may not. A datagram socket of a pair could
        // be connected to one.
        EQUAL(SYS_socketpair, 0, 5), LOAD_ARGUMENT(1), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf), EQUAL(SOCK_STREAM, 0, 1),
        RETURN(SECCOMP_RET_ALLOW), REFUSE(EPERM),
        EQUAL(SYS_socket, 0, 6), LOAD_ARGUMENT(0), EQUAL(AF_INET, 3, 0), EQUAL(AF_INET6, 2, 0), EQUAL(AF_NETLINK, 1, 0),
        REFUSE(EAFNOSUPPORT), RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    if (value > limits.rlim_max) value = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = value;
    setrlimit(resource, &limits);
}

static void confine_resources(void) {
    // Ten times what a catalog of 4 MB needs, for modules of the name service that are larger than the C library's. Programs that are
    // instrumented map terabytes.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    limit(RLIMIT_AS, 1ULL << 30);
    limit(RLIMIT_DATA, 256 << 20);
#endif
    limit(RLIMIT_STACK, 1 << 20);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 64);
    limit(RLIMIT_MEMLOCK, 0);
}

void promod_fetch_allow_seconds(unsigned more) {
    struct rusage used;
    struct rlimit limits;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return;
    rlim_t end = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + more;
    limits.rlim_cur = end < limits.rlim_max ? end : limits.rlim_max;
    setrlimit(RLIMIT_CPU, &limits);
}

void promod_fetch_confine(const char *hidden) {
    prctl(PR_SET_NAME, "promod-fetch");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (const char *path = hidden; *path; path += strlen(path) + 1) hide(path);
    confine_files();
    confine_resources();
    confine_calls();
}
