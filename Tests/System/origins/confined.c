// Confines itself as the process that fetches does, and prints what it can do then: a line for each attempt.
#define _GNU_SOURCE
#include <CFetch.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void report(const char *attempt, int is_possible) { printf("%s %s\n", attempt, is_possible ? "yes" : "no"); }

/// Whether a call came past the filter, whatever the kernel thought of it then.
static int passes(long result) { return result >= 0 || errno != EPERM; }

static void *nothing(void *unused) { return unused; }

static int connects(int type, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int descriptor = socket(AF_UNIX, type, 0);
    return descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0;
}

static int forks(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child > 0;
}

// confined HOME SOCKET: the home directory has a file "own"; somebody listens at the socket.
int main(int count, char **arguments) {
    if (count != 3) return 2;
    char own[4096], made[4096];
    snprintf(own, sizeof own, "%s/own", arguments[1]);
    snprintf(made, sizeof made, "%s/made", arguments[1]);
    int listener = socket(AF_INET, SOCK_STREAM, 0), pair[2], status, parent = getppid();
    int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    struct rlimit none = {0, 0};
    if (access(own, R_OK) != 0 || !connects(SOCK_STREAM, arguments[2])) return 3;
    promod_fetch_confine(NULL);

    struct addrinfo *found = NULL;
    pthread_t thread;
    report("resolve", getaddrinfo("localhost", "1", NULL, &found) == 0);
    report("thread", pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0);
    report("internet", socket(AF_INET, SOCK_STREAM, 0) >= 0 && socket(AF_INET6, SOCK_DGRAM, 0) >= 0);
    report("certificates", open("/etc/ssl/certs", O_RDONLY | O_DIRECTORY) >= 0 && open("/etc/passwd", O_RDONLY) >= 0);
    report("stream-pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);

    report("read-home", open(own, O_RDONLY) >= 0);
    report("list-home", opendir(arguments[1]) != NULL);
    report("write-own", open(own, O_WRONLY) >= 0);
    report("truncate", truncate(own, 0) == 0);
    report("create", open(made, O_WRONLY | O_CREAT, 0600) >= 0);
    report("create-in-tmp", open("/tmp/promod-confined", O_WRONLY | O_CREAT, 0600) >= 0);
    report("remove", unlink(own) == 0 || rename(own, made) == 0);
    report("chmod", chmod(own, 0644) == 0);
    report("chown", chown(own, getuid(), getgid()) == 0);
    report("attributes", setxattr(own, "user.x", "x", 1, 0) == 0);
    report("fchmodat2", syscall(452, AT_FDCWD, own, 0644, 0) == 0);
    report("file-attributes", syscall(469, AT_FDCWD, own, NULL, 0, 0) == 0 || errno != ENOSYS);
    report("times", utimensat(AT_FDCWD, own, NULL, 0) == 0);
    report("processes", opendir("/proc") != NULL || open("/proc/self/environ", O_RDONLY) >= 0);
    report("run", (execl("/bin/true", "true", (char *)NULL), 0));
    report("fork", forks());
    report("local-socket", connects(SOCK_STREAM, arguments[2]));
    report("datagram-pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    report("netlink-only", socket(AF_PACKET, SOCK_RAW, 0) >= 0 || socket(AF_VSOCK, SOCK_STREAM, 0) >= 0);
    report("shared-memory", shmat(segment, NULL, 0) != (void *)-1 || shmctl(segment, IPC_RMID, NULL) == 0);
    report("limit-parent", prlimit(parent, RLIMIT_NOFILE, NULL, &none) == 0 || setpriority(PRIO_PROCESS, (id_t)parent, 19) == 0);
    report("signal-by-file", passes(fcntl(listener, F_SETOWN, parent)) || passes(fcntl(listener, F_SETOWN_EX, NULL))
        || passes(fcntl(listener, F_SETSIG, SIGKILL)) || passes(ioctl(listener, FIOSETOWN, &parent))
        || passes(ioctl(listener, SIOCSPGRP, &parent)));
    report("watch-home", inotify_init1(0) >= 0);
    report("terminal", open("/dev/tty", O_RDONLY) >= 0 || open("/dev/ptmx", O_RDONLY) >= 0
        || passes(ioctl(0, TIOCSTI, "x")) || passes(ioctl(0, TIOCLINUX, "x")));
    report("write-allowed", open("/dev/null", O_WRONLY) >= 0 || open("/etc/passwd", O_WRONLY) >= 0);
    report("mail-and-media", opendir("/var/mail") != NULL || opendir("/var/log") != NULL || opendir("/run/user") != NULL
        || opendir("/dev/shm") != NULL);
    report("listen", listen(listener, 1) == 0);
    report("signal-parent", kill(getppid(), 0) == 0 || passes(syscall(SYS_tgkill, parent, parent, -1)));
    report("clone3", syscall(SYS_clone3, NULL, 0) == 0 || errno != ENOSYS);
    report("trace", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0);
    report("memory", malloc(1UL << 29) != NULL);
    // Where the filter lets one pass, its arguments mean nothing.
#define CALL(name) report("call-" #name, passes(syscall(SYS_##name, -1L, -1L, -1L, -1L, -1L)));
#define CALLS(first, second, third, fourth) CALL(first) CALL(second) CALL(third) CALL(fourth)
    CALLS(execve, execveat, ptrace, kill) CALLS(process_vm_readv, process_vm_writev, tkill, rt_sigqueueinfo)
    CALLS(rt_tgsigqueueinfo, pidfd_open, pidfd_getfd, pidfd_send_signal) CALLS(setns, unshare, kcmp, perf_event_open)
    CALLS(setpriority, ioprio_set, sched_setaffinity, sched_setattr) CALLS(sched_setparam, sched_setscheduler, shmget, shmat)
    CALLS(shmctl, msgget, msgsnd, msgrcv) CALLS(msgctl, semget, semctl, semtimedop) CALLS(mq_open, mq_unlink, truncate, ftruncate)
    CALLS(inotify_init1, fanotify_init, fchmod, fchmodat) CALLS(fchown, fchownat, utimensat, setxattr)
    CALLS(lsetxattr, fsetxattr, removexattr, lremovexattr) CALLS(fremovexattr, bpf, userfaultfd, keyctl)
    CALLS(io_uring_setup, io_uring_enter, io_uring_register, add_key) CALLS(request_key, open_by_handle_at, mount, umount2)
    CALLS(pivot_root, chroot, init_module, finit_module) CALLS(delete_module, kexec_load, swapon, swapoff)
    CALL(listen) CALL(accept) CALL(accept4)
#ifdef __x86_64__
    CALLS(chmod, chown, lchown, utime) CALLS(utimes, futimesat, fork, vfork) CALL(inotify_init) CALL(semop)
#endif
    status = 0;
    for (int number = 0; number < 100; number++) status += dup(0) >= 0;
    report("100-descriptors", status == 100);
    return 0;
}
