#define _GNU_SOURCE
#include "CFetch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

// landlock_ruleset_attr of Linux 6.12; Debian 12's header lacks the newer members.
struct ruleset_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

enum { SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0, SCOPE_SIGNAL = 1 << 1 };

// Denies all uses of files, and TCP listeners; from Linux 6.12 on also signals to other processes, and connections to their abstract
// sockets. Returns a descriptor, or -1.
static int deny_all(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    // The first version has 13 access rights to files, and the second, third and fifth add one each.
    int known = 13 + (version >= 2) + (version >= 3) + (version >= 5);
    struct ruleset_attributes attributes = {.handled_access_fs = (1ULL << known) - 1};
    if (version >= 4) attributes.handled_access_net = 1;
    if (version >= 6) attributes.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    // An older kernel accepts members that it does not know if they are 0.
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

static int allow_rights(int ruleset, int descriptor, uint64_t rights) {
    struct landlock_path_beneath_attr rule = {.parent_fd = descriptor, .allowed_access = rights};
    return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static void allow(int ruleset, const char *path) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    // The rights of a directory are refused for a file.
    if (allow_rights(ruleset, descriptor, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR) != 0)
        allow_rights(ruleset, descriptor, LANDLOCK_ACCESS_FS_READ_FILE);
    close(descriptor);
}

static void confine_files(const char *ca_file) {
    // Libraries, certificates, and what the name service reads. /proc, /dev, /run and /var as wholes would include the environments of
    // other processes, terminals, cameras, mail, journals and removable disks.
    static const char *const needed[] = {
        "/bin", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero", "/etc", "/etc/resolv.conf", "/gnu", "/lib", "/lib32", "/lib64",
        "/nix", "/opt", "/run/NetworkManager", "/run/current-system", "/run/netconfig", "/run/resolvconf", "/run/systemd/resolve", "/sbin",
        "/sys/devices/system/cpu", "/usr", "/var/db", "/var/lib/ca-certificates", "/var/lib/sss"};
    int ruleset = deny_all();
    if (ruleset < 0) return;
    for (size_t index = 0; index < sizeof needed / sizeof *needed; index++) allow(ruleset, needed[index]);
    // Where an app brings libcurl, what that loads later is there, too.
    char origin[PATH_MAX];
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD);
    if (handle && dlinfo(handle, RTLD_DI_ORIGIN, origin) == 0) allow(ruleset, origin);
    if (ca_file) allow(ruleset, ca_file);
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

// fchmodat2, of Linux 6.6. From 424 on, all architectures have the same numbers.
#define FIRST_UNKNOWN_CALL 452

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument, in little-endian order.
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(number) RETURN(SECCOMP_RET_ERRNO | (number))
#define EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define DENY(call) EQUAL(SYS_##call, 0, 1), REFUSE(EPERM)

/// Denies what no fetch needs, but whoever took over the process would. A list of what is needed would break with the next C library.
static void confine_calls(void) {
    struct sock_filter filter[] = {
        LOAD(arch), EQUAL(NATIVE, 1, 0), REFUSE(ENOSYS), LOAD(nr),
        // Calls that are newer than this list, and those of x32. The C library falls back to older ones.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN_CALL, 0, 1), REFUSE(ENOSYS),
        // Other programs, and other processes.
        DENY(execve), DENY(execveat), DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(kill), DENY(tkill),
        DENY(rt_sigqueueinfo), DENY(rt_tgsigqueueinfo), DENY(pidfd_open), DENY(pidfd_getfd), DENY(pidfd_send_signal), DENY(setns),
        DENY(unshare), DENY(kcmp), DENY(perf_event_open),
        DENY(setpriority), DENY(ioprio_set), DENY(sched_setaffinity), DENY(sched_setattr), DENY(sched_setparam), DENY(sched_setscheduler),
        // Memory and messages that processes share.
        DENY(shmget), DENY(shmat), DENY(shmctl), DENY(msgget), DENY(msgsnd), DENY(msgrcv), DENY(msgctl), DENY(semget), DENY(semctl),
        DENY(semtimedop), DENY(mq_open), DENY(mq_unlink),
        // Attributes of files, which Landlock does not cover, and what only later versions of it do.
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

/// Sets a limit, but never above the hard limit that there is: root could raise it.
static void limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    if (value > limits.rlim_max) value = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = value;
    setrlimit(resource, &limits);
}

static void confine_resources(void) {
    // Ten times what a catalog of 4 MB needs, because modules of the name service may be large. Instrumented programs map terabytes.
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

void promod_fetch_confine(const char *ca_file) {
    prctl(PR_SET_NAME, "promod-fetch");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    confine_files(ca_file);
    confine_resources();
    confine_calls();
}
