#ifndef CBUILD_H
#define CBUILD_H

/// Which build this program is, as packaging/version says; empty if packaging/build did not build it.
const char *promod_build(void);

#endif
