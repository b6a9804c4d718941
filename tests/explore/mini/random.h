/* Random mini programs: 2 to 4 threads, data flow, branches, locks, fences, atomics. */
#ifndef MINI_RANDOM_H
#define MINI_RANDOM_H

#include <stdbool.h>

#include "base/rng.h"
#include "base/strbuf.h"

struct mini_random_opts {
	unsigned max_threads, max_ops, vars;
	unsigned locks; /* 0: none; more than one may be nested, which can deadlock */
	bool rmw, fences;
	bool forks; /* the first thread begins the others and waits for some */
};

/* Writes the text of a program. */
void mini_random(struct strbuf *text, struct rng *r, const struct mini_random_opts *o);

#endif
