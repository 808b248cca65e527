#define _GNU_SOURCE
#include "CFetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAXIMUM_STRINGS = 64 };

static void list(const char *block, char *strings[MAXIMUM_STRINGS + 1]) {
    int count = 0;
    for (; *block && count < MAXIMUM_STRINGS; block += strlen(block) + 1) strings[count++] = (char *)block;
    strings[count] = NULL;
}

pid_t promod_fetch_spawn(int socket, const char *arguments, const char *variables) {
    char *argv[MAXIMUM_STRINGS + 1], *envp[MAXIMUM_STRINGS + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t process = -1;
    list(arguments, argv);
    list(variables, envp);
    sigemptyset(&none);
    sigfillset(&all);
    // If its parent has left SIGCHLD ignored, the kernel would forget how the process ended.
    signal(SIGCHLD, SIG_DFL);
    if (posix_spawn_file_actions_init(&actions) != 0) return -ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -ENOMEM;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int problem = posix_spawn_file_actions_adddup2(&actions, socket, 0);
    if (!problem) problem = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!problem) problem = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // Everything else is closed on exec; this is for what somebody forgot.
    if (!problem) problem = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    // This very file, even if another version has been installed in its place.
    if (!problem) problem = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return problem ? -problem : process;
}

// The unit's filter of system calls knows tgkill(2), for Swift's traces, and not kill(2).
void promod_fetch_kill(pid_t process) { syscall(SYS_tgkill, process, process, SIGKILL); }
