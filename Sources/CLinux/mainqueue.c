#include "CLinux.h"

#include <stddef.h>
#include <sys/eventfd.h>

int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

int promo_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void promo_main_queue_run(void)
{
	eventfd_t count;

	// Reading makes the descriptor unreadable until there is more work. It does not block if nothing waits.
	(void)eventfd_read(promo_main_queue_descriptor(), &count);
	_dispatch_main_queue_callback_4CF(NULL);
}
