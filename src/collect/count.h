/* What a collector has counted since it started. */
#ifndef HEDDLE_COLLECT_COUNT_H
#define HEDDLE_COLLECT_COUNT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/strbuf.h"

enum collect_count {
#define X(name, text) COLLECT_COUNT_##name,
#include "collect/count.def"
#undef X
	COLLECT_COUNTS,
};

struct collect_counts {
	_Atomic uint64_t n[COLLECT_COUNTS];
};

#define COLLECT_COUNT(counts, name, by)                                                            \
	((void)atomic_fetch_add_explicit(&(counts)->n[COLLECT_COUNT_##name], (by),                 \
					 memory_order_relaxed))

/* In the text form of Prometheus. */
void collect_counts_text(struct collect_counts *c, struct strbuf *to);

#endif
