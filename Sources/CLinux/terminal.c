#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

// A handler may use nothing that is made when it is first read, as a static property in Swift is.

// The first ones are faults of an instruction.
static const int signals[] = {SIGBUS,  SIGFPE,  SIGILL,  SIGSEGV, SIGTRAP, SIGABRT, SIGHUP,
                              SIGINT,  SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH};
enum { FAULTS = 5, COUNT = sizeof signals / sizeof *signals };

static struct sigaction before[COUNT];
static struct termios found, ours;
static atomic_int is_taken, is_ours, is_registered, terminal, has_screen, changed;

static void say(int descriptor, const char *bytes, size_t count) {
    if (write(descriptor, bytes, count) < 0) return;
}

static void give_back(void) {
    if (!atomic_exchange(&is_ours, 0)) return;
    static const char leave[] = "\033[?25h\033[?1049l";
    sigset_t stop, mask;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &mask);
    if (atomic_load(&has_screen)) say(STDOUT_FILENO, leave, sizeof leave - 1);
    // In the background, the settings are the shell's.
    pid_t foreground = tcgetpgrp(atomic_load(&terminal));
    if (foreground < 0 || foreground == getpgrp()) tcsetattr(atomic_load(&terminal), TCSANOW, &found);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void take(void) {
    static const char enter[] = "\033[?1049h\033[?25l";
    static const uint64_t one = 1;
    tcsetattr(atomic_load(&terminal), TCSANOW, &ours);
    int was_ours = atomic_exchange(&is_ours, 1);
    if (!atomic_load(&has_screen)) return;
    if (!was_ours) say(STDOUT_FILENO, enter, sizeof enter - 1);
    say(atomic_load(&changed), (const char *)&one, sizeof one);
}

static void handle(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    int index = 0;
    while (signals[index] != number) index++;
    int ends = number != SIGCONT && number != SIGWINCH;
    if (ends) give_back();
    struct sigaction mine;
    sigaction(number, &before[index], &mine);
    // A fault happens once more at the same instruction, for whom it is meant.
    if (index < FAULTS && info->si_code > 0) {
        errno = error;
        return;
    }
    if (ends || before[index].sa_handler != SIG_DFL) {
        sigset_t own, mask;
        sigemptyset(&own);
        sigaddset(&own, number);
        pthread_sigmask(SIG_UNBLOCK, &own, &mask);
        raise(number);
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    }
    // The program goes on: it was stopped, or has a handler of its own.
    if (atomic_load(&is_taken)) {
        sigaction(number, &mine, NULL);
        take();
    }
    errno = error;
}

int promod_take_terminal(int descriptor, int redraw) {
    if (atomic_exchange(&is_taken, 1)) return -1;
    if (tcgetattr(descriptor, &found) != 0) {
        atomic_store(&is_taken, 0);
        return -1;
    }
    ours = found;
    ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (redraw >= 0) ours.c_cc[VINTR] = _POSIX_VDISABLE;
    ours.c_cc[VMIN] = 1;
    ours.c_cc[VTIME] = 0;
    atomic_store(&terminal, descriptor);
    atomic_store(&has_screen, redraw >= 0);
    atomic_store(&changed, redraw);
    if (!atomic_exchange(&is_registered, 1)) atexit(promod_give_terminal_back);
    struct sigaction mine = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    for (int index = 0; index < COUNT; index++) {
        sigaction(signals[index], NULL, &before[index]);
        if (before[index].sa_handler != SIG_IGN) sigaction(signals[index], &mine, NULL);
    }
    take();
    return 0;
}

void promod_give_terminal_back(void) {
    if (!atomic_load(&is_taken)) return;
    for (int index = 0; index < COUNT; index++) {
        struct sigaction now;
        sigaction(signals[index], NULL, &now);
        // The program may have changed it meanwhile.
        if (now.sa_sigaction == handle) sigaction(signals[index], &before[index], NULL);
    }
    atomic_store(&is_taken, 0);
    give_back();
}
