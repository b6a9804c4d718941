/* Sorting and searching, with the comparison of the program. */
#include <string.h>

#include "symex/library/library.h"
#include "symex/library/threads.h"

/*
 * As the guest sorts: read at once, merge a copy, write at once.  local: 0 the copy, 1 the site, 2
 * width, 3 low, 4 and 5 the next of both stretches, 6 where to, 7 which half is the source.
 */
static void sort_event(struct machine *m, struct library_call *k, enum event_kind kind, uint64_t at,
		       uint64_t bytes)
{
	struct symex_event *e;

	if (!k->t->controlled)
		return;
	e = machine_event(m, k->t, kind, (uint32_t)k->local[1], at, bytes, 0);
	if (kind == EVENT_READ_RANGE)
		access_read_range(m, k->t, e, at, bytes);
	else
		access_write_range(m, k->t, e, at, bytes);
}

struct stretch {
	uint64_t count, size, middle, high, from, to;
};

static struct stretch stretch_of(struct machine *m, struct library_call *k)
{
	struct stretch s = {.count = library_arg(m, k, 1), .size = library_arg(m, k, 2)};
	uint64_t half = s.count * s.size;

	s.middle = k->local[3] + k->local[2] < s.count ? k->local[3] + k->local[2] : s.count;
	s.high = s.middle + k->local[2] < s.count ? s.middle + k->local[2] : s.count;
	s.from = k->local[0] + (k->local[7] ? half : 0);
	s.to = k->local[0] + (k->local[7] ? 0 : half);
	return s;
}

static void take(struct machine *m, struct library_call *k, const struct stretch *s, unsigned which)
{
	(void)mem_move(k->t->space, s->to + k->local[6] * s->size,
		       s->from + k->local[which]++ * s->size, s->size);
	k->local[6]++;
}

/* Moves what needs no comparison; false when all is sorted. */
static bool to_next_comparison(struct machine *m, struct library_call *k)
{
	for (;;) {
		struct stretch s = stretch_of(m, k);

		while (k->local[6] < s.high && (k->local[4] == s.middle || k->local[5] == s.high))
			take(m, k, &s, k->local[4] < s.middle ? 4 : 5);
		if (k->local[6] < s.high)
			return true;
		k->local[3] += 2 * k->local[2];
		if (k->local[3] >= s.count) {
			k->local[2] *= 2;
			k->local[3] = 0;
			k->local[7] = !k->local[7];
		}
		if (k->local[2] >= s.count)
			return false;
		s = stretch_of(m, k);
		k->local[4] = k->local[6] = k->local[3];
		k->local[5] = s.middle;
	}
}

static enum library_result qsort_model(struct machine *m, struct library_call *k)
{
	uint64_t array = library_arg(m, k, 0), count = library_arg(m, k, 1);
	uint64_t size = library_arg(m, k, 2), bytes = count * size;
	struct stretch s;

	if (k->phase == 0) {
		k->local[1] = library_take_site(k);
		if (count < 2 || !size)
			return LIBRARY_DONE;
		if (!machine_check(m, k->t, array, bytes, (uint32_t)k->local[1], true))
			return LIBRARY_END;
		k->local[0] = machine_allocate(m, k->t, bytes * 2, 16, SYMEX_NONE);
		sort_event(m, k, EVENT_READ_RANGE, array, bytes);
		(void)mem_move(k->t->space, k->local[0], array, bytes);
		k->local[2] = 1;
		k->local[5] = 1 < count ? 1 : count;
		k->phase = 1;
	} else if (k->phase == 1) {
		uint64_t order =
			machine_concrete(m, k->t, k->returned, k->returned_expr, k->t->last_site);

		if (k->t->state != THREAD_RUNS)
			return LIBRARY_END;
		s = stretch_of(m, k);
		take(m, k, &s, (int32_t)order <= 0 ? 4 : 5);
	}
	if (k->phase == 1 && to_next_comparison(m, k)) {
		s = stretch_of(m, k);
		k->callee = library_arg(m, k, 3);
		k->callee_arg[0] = s.from + k->local[4] * size;
		k->callee_arg[1] = s.from + k->local[5] * size;
		k->callee_arg[2] = k->count > 4 ? library_arg(m, k, 4) : 0;
		k->callee_count = k->count > 4 ? 3 : 2;
		return LIBRARY_CALL;
	}
	(void)mem_move(k->t->space, array, k->local[0] + (k->local[7] ? bytes : 0), bytes);
	sort_event(m, k, EVENT_WRITE_RANGE, array, bytes);
	machine_block_at(m, k->local[0])->freed = true;
	return LIBRARY_DONE;
}

/* local: 0 low, 1 high, 2 middle. */
static enum library_result bsearch_model(struct machine *m, struct library_call *k)
{
	uint64_t key = library_arg(m, k, 0), base = library_arg(m, k, 1);
	uint64_t size = library_arg(m, k, 3);

	if (k->phase == 0) {
		(void)library_take_site(k);
		k->local[1] = library_arg(m, k, 2);
		k->phase = 1;
	} else {
		int32_t order = (int32_t)machine_concrete(m, k->t, k->returned, k->returned_expr,
							  k->t->last_site);

		if (order == 0)
			return library_return(k, base + k->local[2] * size);
		if (order < 0)
			k->local[1] = k->local[2];
		else
			k->local[0] = k->local[2] + 1;
	}
	if (k->local[0] >= k->local[1])
		return library_return(k, 0);
	k->local[2] = (k->local[0] + k->local[1]) / 2;
	k->callee = library_arg(m, k, 4);
	k->callee_arg[0] = key;
	k->callee_arg[1] = base + k->local[2] * size;
	k->callee_count = 2;
	return LIBRARY_CALL;
}

const struct library_row library_sort[] = {
	{"qsort", qsort_model},
	{"qsort_r", qsort_model},
	{"bsearch", bsearch_model},
	{NULL, NULL},
};
