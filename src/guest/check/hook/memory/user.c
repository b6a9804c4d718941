#include "guest/check/hook/memory/user.h"

#include <string.h>

#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"

void user_read(void *to, const void *from, size_t n, uint32_t site)
{
	struct rt_op op = {
		.kind = EVENT_READ_RANGE, .site = site, .addr = (uint64_t)from, .value = n};

	if (n == 0)
		return;
	sched_step(&op);
	heap_check(from, n, site, false);
	rec_event(EVENT_READ_RANGE, site, (uint64_t)from, n, 0);
	rec_data(from, n);
	memcpy(to, from, n);
}

static void note_write(void *to, size_t n, uint32_t site)
{
	spin_wrote(rt_current);
	rec_event(EVENT_WRITE_RANGE, site, (uint64_t)to, n, EVENT_GLUED);
	rec_data(to, n);
	memory_changed();
}

void user_write(void *to, const void *from, size_t n, uint32_t site)
{
	if (n == 0)
		return;
	heap_check(to, n, site, true);
	undo_touch(to, n);
	memcpy(to, from, n);
	note_write(to, n, site);
}

void user_scatter(const struct iovec *to, int count, const unsigned char *from, size_t n,
		  uint32_t site)
{
	for (int i = 0; i < count && n > 0; i++) {
		size_t here = to[i].iov_len < n ? to[i].iov_len : n;

		user_write(to[i].iov_base, from, here, site);
		from += here;
		n -= here;
	}
}

void user_was_read(const struct iovec *from, int count, size_t n, uint32_t site)
{
	for (int i = 0; i < count && n > 0; i++) {
		size_t here = from[i].iov_len < n ? from[i].iov_len : n;

		if (here == 0)
			continue;
		rec_event(EVENT_READ_RANGE, site, (uint64_t)from[i].iov_base, here, EVENT_GLUED);
		rec_data(from[i].iov_base, here);
		n -= here;
	}
}

void user_was_written(const struct iovec *to, int count, size_t n, uint32_t site)
{
	for (int i = 0; i < count && n > 0; i++) {
		size_t here = to[i].iov_len < n ? to[i].iov_len : n;

		if (here)
			note_write(to[i].iov_base, here, site);
		n -= here;
	}
}
