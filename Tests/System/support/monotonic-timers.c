// Keeps timers on the monotonic clock away from libfaketime, for LD_PRELOAD before it. It takes every absolute time for one on the
// wall clock, so that the kernel would refuse such a timer, or let it fire at another time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { files = 4096 };

static atomic_bool is_wall[files];

int timerfd_create(clockid_t clock, int flags) {
    int file = (int)syscall(SYS_timerfd_create, clock, flags);
    if (file >= 0 && file < files) is_wall[file] = clock == CLOCK_REALTIME;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    if (file >= 0 && file < files && is_wall[file]) {
        int (*faked)(int, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, "timerfd_settime");
        return faked(file, flags, new, old);
    }
    return (int)syscall(SYS_timerfd_settime, file, flags, new, old);
}
