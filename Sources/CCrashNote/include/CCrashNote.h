#ifndef CCRASHNOTE_H
#define CCRASHNOTE_H

#include <stddef.h>

/// Installs signal handlers that write a note of a crash and then call those that were installed before, such as Swift's, which
/// prints a trace. The note has the signal, the address, the instruction, the thread, the build ID and the last message of
/// `promod_note_message`.
/// - message_id: the MESSAGE_ID of a record in the journal; NULL to write to standard error.
void promod_note_crashes(const char *message_id);

/// Keeps the beginning of a log message for the note.
void promod_note_message(const char *text, size_t length);

#endif
