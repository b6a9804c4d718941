/*
 * Vectors as one byte per access, so that two of them are compared sixteen accesses at a time: of
 * hundreds of logs every two are compared, and steps through runs of one or two accesses are slow.
 * Made when they are first asked for, and only of vectors whose runs are short.
 */
#ifndef HEDDLE_COOP_FLAT_H
#define HEDDLE_COOP_FLAT_H

#include "coop/log.h"

struct coop_flat;

struct coop_flat *coop_flat_new(size_t vectors);
void coop_flat_free(struct coop_flat *f);

/*
 * The bytes of vector number i (v, of l), v->accesses of them; NULL: its runs are long, there are
 * too many threads, or it would be too much memory.  The same name has the same byte in all.
 */
const uint8_t *coop_flat_of(struct coop_flat *f, size_t i, const struct coop_log *l,
			    const struct coop_vector *v);

/* How many of the first n bytes are the same. */
uint64_t coop_flat_same(const uint8_t *a, const uint8_t *b, uint64_t n);

#endif
