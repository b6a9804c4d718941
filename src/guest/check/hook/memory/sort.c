/*
 * qsort.  The C library moves elements between two calls of the program's comparator, where nobody
 * sees it.  Here the array is read in one step into a copy, the copy is sorted (merging, so equal
 * elements keep their order, as they do with the C library), and written back in one step.
 *
 * Tolerates: anything the comparator may do, longjmp included (the copy is then lost until the run
 * ends).
 */
#include <stdlib.h>
#include <string.h>

#include "guest/check/hook/call.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"

typedef int (*compare_fn)(const void *, const void *, void *);

struct sort {
	char *from, *to;
	size_t count, size;
	compare_fn compare;
	void *arg;
};

/* Merges the two sorted stretches of `from' that begin at `low' and have up to `width' elements. */
static void merge(const struct sort *s, size_t low, size_t width)
{
	size_t middle = low + width < s->count ? low + width : s->count;
	size_t high = middle + width < s->count ? middle + width : s->count;
	size_t a = low, b = middle;

	for (size_t at = low; at < high; at++) {
		bool first = a < middle &&
			     (b == high || s->compare(s->from + a * s->size,
						      s->from + b * s->size, s->arg) <= 0);
		size_t taken = first ? a++ : b++;

		memcpy(s->to + at * s->size, s->from + taken * s->size, s->size);
	}
}

/* Returns where the sorted elements are: one of the two halves of `space'. */
static char *merge_all(struct sort *s)
{
	for (size_t width = 1; width < s->count; width *= 2) {
		char *swap = s->from;

		for (size_t low = 0; low < s->count; low += 2 * width)
			merge(s, low, width);
		s->from = s->to;
		s->to = swap;
	}
	return s->from;
}

static void sort_array(void *array, size_t count, size_t size, compare_fn compare, void *arg)
{
	heddle_site_ref site = rec_site_record(sched_take_site());
	struct sort s = { .count = count, .size = size, .compare = compare, .arg = arg };
	size_t bytes;
	char *space;

	if (count < 2 || size == 0 || __builtin_mul_overflow(count, size, &bytes))
		return;
	space = malloc(bytes * 2);
	if (!space) {
		rt_unseen(SITE_NONE, "qsort of %lu bytes", bytes);
		REAL(qsort_r)(array, count, size, compare, arg);
		return;
	}
	heddle_hook_load_n(space, array, bytes, site);
	s.from = space;
	s.to = space + bytes;
	heddle_hook_store_n(array, merge_all(&s), bytes, site);
	free(space);
}

static int without_arg(const void *a, const void *b, void *arg)
{
	return ((int (*)(const void *, const void *))arg)(a, b);
}

RT_EXPORT void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	if (rt_controlled())
		sort_array(array, count, size, without_arg, (void *)compare);
	else
		REAL(qsort)(array, count, size, compare);
}

RT_EXPORT void qsort_r(void *array, size_t count, size_t size, compare_fn compare, void *arg)
{
	if (rt_controlled())
		sort_array(array, count, size, compare, arg);
	else
		REAL(qsort_r)(array, count, size, compare, arg);
}
