#define _GNU_SOURCE
#include "CFetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAXIMUM_STRINGS = 64 };

static void list(const char *block, char *strings[MAXIMUM_STRINGS + 1]) {
    int count = 0;
    for (; *block && count < MAXIMUM_STRINGS; block += strlen(block) + 1) strings[count++] = (char *)block;
    strings[count] = NULL;
}

static int spawn(pid_t *process, int input, int output, char *const argv[], char *const envp[]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    // In a session of its own it has no terminal into which it could type.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    int problem = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (!problem) problem = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!problem) problem = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    // Everything else is closed on exec; this is for what somebody forgot.
    if (!problem) problem = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    // This very file, even if another version has been installed in its place.
    if (!problem) problem = posix_spawn(process, "/proc/self/exe", &actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return problem;
}

pid_t promod_fetch_spawn(const char *arguments, const char *variables, int *queries, int *answers) {
    char *argv[MAXIMUM_STRINGS + 1], *envp[MAXIMUM_STRINGS + 1];
    int sockets[2], pipes[2];
    pid_t process = -1;
    list(arguments, argv);
    list(variables, envp);
    // If its parent has left SIGCHLD ignored, the kernel would forget how the process ended.
    signal(SIGCHLD, SIG_DFL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -errno;
    int problem = pipe2(pipes, O_CLOEXEC) == 0 ? 0 : errno;
    if (!problem) {
        // A descriptor in a message would be closed here, which can take as long as its other end likes. A pipe takes none, and
        // what is sent to a socket that receives nothing fails.
        shutdown(sockets[0], SHUT_RD);
        fcntl(pipes[0], F_SETFL, O_NONBLOCK);
        problem = spawn(&process, sockets[1], pipes[1], argv, envp);
        close(pipes[1]);
        if (problem) close(pipes[0]);
    }
    close(sockets[1]);
    if (problem) close(sockets[0]);
    *queries = sockets[0];
    *answers = pipes[0];
    return problem ? -problem : process;
}

// The unit's filter of system calls knows tgkill(2), for Swift's traces, and not kill(2).
void promod_fetch_kill(pid_t process) { syscall(SYS_tgkill, process, process, SIGKILL); }
