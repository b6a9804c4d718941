/*
 * Do two recordings have the same ways?  A thread that was cut off may have less in one of them: what
 * is there of both is the same.  Usage: same A.rec B.rec; 0 same, 1 not, 3 no recording.
 */
#include <stdio.h>

#include "trace/bundle/recording.h"

static int same_task(const struct trace_task *a, const struct trace_task *b, size_t number)
{
	uint64_t n = a->bits < b->bits ? a->bits : b->bits, i = 0;
	int cut = a->row.state != RECORD_THREAD_ENDED || b->row.state != RECORD_THREAD_ENDED;

	while (i < n && trace_task_bit(a, i) == trace_task_bit(b, i))
		i++;
	if (i < n || (a->bits != b->bits && !cut)) {
		printf("thread %zu: bit %lu of %lu and %lu\n", number, (unsigned long)i,
		       (unsigned long)a->bits, (unsigned long)b->bits);
		return 0;
	}
	return 1;
}

static int same(const struct trace_recording *a, const struct trace_recording *b)
{
	int good = 1;

	if (a->tasks.count != b->tasks.count) {
		printf("%zu and %zu threads\n", a->tasks.count, b->tasks.count);
		return 0;
	}
	for (size_t i = 0; i < a->tasks.count && good; i++)
		good = same_task(&a->tasks.items[i], &b->tasks.items[i], i);
	return good;
}

int main(int argc, char **argv)
{
	struct trace_recording r[2] = {TRACE_RECORDING_INIT, TRACE_RECORDING_INIT};
	struct err e = ERR_INIT;
	int good;

	if (argc != 3)
		return 2;
	for (int i = 0; i < 2; i++)
		if (trace_recording_read(argv[i + 1], &r[i], &e)) {
			printf("%s: %s\n", argv[i + 1], e.text);
			return 3;
		}
	good = same(&r[0], &r[1]);
	trace_recording_fini(&r[0]);
	trace_recording_fini(&r[1]);
	return !good;
}
