#include "CLinux.h"

// packaging/releasing/stamp writes it after the link, so that a new commit compiles nothing. It is volatile because the compiler sees zeroes.
__attribute__((section(".promod_build"))) static const volatile char build[128] = "";

const char *promod_build(void) { return (const char *)build; }
