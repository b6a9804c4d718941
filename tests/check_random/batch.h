/*
 * Many small programs in one file, in the words of ../check/programs/program.h.
 *
 * Built with ENUMERATE the file is the oracle: for each program and memory model it prints
 * "NUMBER MODEL TOLD STATES STUCK ASSERTED" (enumerate.h; all `-' for what is too large) and writes
 * the sets of finished states as C into the file named by its argument.  Built with heddle and that
 * file it runs one program: PROGRAM NUMBER count|leave|member|not MODEL [STATE].  A finished state
 * is one number made of what the threads return, and that is made of the results of all their
 * operations.  `count' does not look at it, `member' asserts that it belongs to the oracle's set,
 * `not' that it is not STATE.  `leave' returns from main without waiting for anybody: the threads go
 * on as far as they can, so that there are as many states as with `count'.
 */
#ifndef BATCH_H
#define BATCH_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/programs/program.h"

#define BATCH_THREADS 8

#ifdef ENUMERATE
typedef int (*batch_start_fn)(void);
#else
typedef void *(*batch_start_fn)(void *);
#endif

/* Threads from number `roots' on are started by others. */
struct batch_program {
	batch_start_fn starts[BATCH_THREADS];
	int count, roots;
};

struct batch_set {
	const uint64_t *items;
	size_t count;
};

SHARED(x[3]);
#ifdef ENUMERATE
MUTEX(l[2]);
CONDITION(c[2]);
RWLOCK(w[2]);
#else
static pthread_mutex_t l[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t w[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
#endif
SEMAPHORE(s0, 0);
SEMAPHORE(s1, 1);
BARRIER(b2, 2);
BARRIER(b3, 3);

/* A result and what the thread has seen so far. */
#define SEE(variable, expression)                                                                  \
	((variable) = (expression), h = (h ^ (unsigned)(variable)) * 2654435761u + 1)

static inline uint64_t batch_fold(const int *seen, int count)
{
	uint64_t h = 1;

	for (int i = 0; i < count; i++)
		h = (h ^ (unsigned)seen[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 32);
	return h;
}

#ifdef ENUMERATE

#define BATCH_CONFIGURATIONS 200000
#define BATCH_STATES 400

struct batch_found {
	uint64_t items[BATCH_STATES];
	size_t count;
	int threads;
};

static void batch_visit(void *arg, const int *seen, bool stuck)
{
	struct batch_found *f = arg;

	if (!stuck && f->count < BATCH_STATES)
		f->items[f->count++] = batch_fold(seen, f->threads);
}

static int batch_order(const void *a, const void *b)
{
	uint64_t x_ = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x_ > y) - (x_ < y);
}

static void batch_enumerate(FILE *sets, const struct batch_program *p, int number, int model)
{
	struct enumerate_program program = {p->starts, p->count, p->roots};
	static const char *const names[] = {"sc", "tso", "pso"};
	struct batch_found f = {.threads = p->count};
	struct enumerate_result r;

	r = enumerate_run(&program, (enum enumerate_model)model, BATCH_CONFIGURATIONS, batch_visit,
			  &f);
	if (!r.complete || r.states > BATCH_STATES) {
		printf("%d %s - - - -\n", number, names[model]);
		f.count = 0;
	} else {
		printf("%d %s %zu %zu %zu %d\n", number, names[model], r.told, r.maps, r.stuck,
		       r.asserted);
	}
	qsort(f.items, f.count, sizeof(f.items[0]), batch_order);
	fprintf(sets, "static const uint64_t set_%d_%s[] = {", number, names[model]);
	for (size_t i = 0; i < f.count; i++)
		fprintf(sets, "%s%" PRIu64 "u, ", i % 4 ? "" : "\n\t", f.items[i]);
	fprintf(sets, "0};\n");
}

/* The program of a batch: all of them, enumerated. */
static int batch_main(int argc, char **argv, const struct batch_program *programs, int count)
{
	FILE *sets = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!sets)
		return 2;
	for (int i = 0; i < count; i++)
		for (int model = 0; model < MODELS; model++)
			batch_enumerate(sets, &programs[i], i, model);
	fprintf(sets, "static const struct batch_set sets[][3] = {\n");
#define BATCH_SET "{set_%d_%s, sizeof(set_%d_%s) / sizeof(uint64_t) - 1}"
	for (int i = 0; i < count; i++)
		fprintf(sets, "\t{" BATCH_SET ", " BATCH_SET ", " BATCH_SET "},\n", i, "sc", i,
			"sc", i, "tso", i, "tso", i, "pso", i, "pso");
	fprintf(sets, "};\n");
	return fclose(sets) ? 3 : 0;
}

#else

static const struct batch_program *batch;
static pthread_t batch_threads[BATCH_THREADS];

static void batch_spawn(int n)
{
	if (pthread_create(&batch_threads[n], NULL, batch->starts[n], &results[n]))
		abort();
}

#define SPAWN(n) batch_spawn(n)
#define JOIN(n) pthread_join(batch_threads[n], NULL)

#ifdef BATCH_SETS
#include BATCH_SETS
#else
static const struct batch_set sets[1][3];
#endif

static bool batch_contains(const struct batch_set *s, uint64_t item)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->items[middle] == item)
			return true;
		if (s->items[middle] < item)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static int batch_main(int argc, char **argv, const struct batch_program *programs, int count)
{
	int number = argc > 3 ? atoi(argv[1]) : -1, model;
	uint64_t target, state;

	if (number < 0 || number >= count)
		return 2;
	model = strcmp(argv[3], "sc") == 0 ? 0 : strcmp(argv[3], "tso") == 0 ? 1 : 2;
	target = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	batch = &programs[number];
	for (int i = 0; i < batch->roots; i++)
		batch_spawn(i);
	if (strcmp(argv[2], "leave") == 0)
		return 0;
	for (int i = 0; i < batch->roots; i++)
		JOIN(i);
	if (strcmp(argv[2], "count") == 0)
		return 0;
	state = batch_fold(results, batch->count);
	if (strcmp(argv[2], "not") == 0)
		heddle_assert(state != target);
	else
		heddle_assert(batch_contains(&sets[number][model], state));
	return 0;
}

#endif
#endif
