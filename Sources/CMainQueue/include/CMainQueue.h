#ifndef CMAINQUEUE_H
#define CMAINQUEUE_H

// What libdispatch exports for a run loop that serves its main queue; Foundation's run loop uses the same two functions.

/// Returns the eventfd(2) that becomes readable when the main queue has work.
int promo_main_queue_descriptor(void);

/// Runs the work in the main queue. Only the main thread may call it.
void promo_main_queue_run(void);

#endif
