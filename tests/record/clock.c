/*
 * A recording as a machine would leave it whose cores have different clocks: every second stamp of a
 * thread is of another core, and that core's clock is far behind.  Usage: clock FROM.rec TO.rec
 */
#include <stdio.h>

#include "trace/bundle/recording.h"

#define BEHIND (UINT64_C(1) << 36)

int main(int argc, char **argv)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct err e = ERR_INIT;

	if (argc != 3)
		return 2;
	if (trace_recording_read(argv[1], &r, &e))
		return printf("%s\n", e.text), 3;
	for (size_t i = 0; i < r.tasks.count; i++) {
		struct trace_task *t = &r.tasks.items[i];

		for (size_t k = i % 2; k < t->stamps.count; k += 2) {
			t->stamps.items[k].cpu ^= 1;
			t->stamps.items[k].tsc -= t->stamps.items[k].tsc < BEHIND ? 0 : BEHIND;
		}
		if (t->row.end > BEHIND)
			t->row.end -= BEHIND;
	}
	if (trace_recording_write(argv[2], &r, &e))
		return printf("%s\n", e.text), 3;
	trace_recording_fini(&r);
	return 0;
}
