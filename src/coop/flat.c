#include "coop/flat.h"

#include <string.h>

#define LONG_RUNS 16		 /* mean length from which on runs are walked */
#define ROOM ((size_t)256 << 20) /* bytes for all vectors */
#define NAMES 256

typedef uint8_t lane __attribute__((vector_size(16)));

struct coop_flat {
	uint8_t **rows;
	size_t count, room;
	VEC(char *) names; /* of threads, by their bytes */
};

struct coop_flat *coop_flat_new(size_t vectors)
{
	struct coop_flat *f = xcalloc(1, sizeof(*f));

	f->rows = xcalloc(vectors + 1, sizeof(*f->rows));
	f->count = vectors;
	f->room = ROOM;
	return f;
}

void coop_flat_free(struct coop_flat *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		free(f->rows[i]);
	for (size_t i = 0; i < f->names.count; i++)
		free(f->names.items[i]);
	vec_free(&f->names);
	free(f->rows);
	free(f);
}

/* NAMES: there are too many. */
static size_t byte_of(struct coop_flat *f, const char *name)
{
	for (size_t i = 0; i < f->names.count; i++)
		if (!strcmp(f->names.items[i], name))
			return i;
	if (f->names.count == NAMES)
		return NAMES;
	vec_push(&f->names, xstrdup(name));
	return f->names.count - 1;
}

const uint8_t *coop_flat_of(struct coop_flat *f, size_t i, const struct coop_log *l,
			    const struct coop_vector *v)
{
	uint8_t *row, *at;

	if (f->rows[i])
		return f->rows[i];
	if (!v->runs.count || v->accesses / v->runs.count >= LONG_RUNS || v->accesses > f->room)
		return NULL;
	row = at = xmalloc(v->accesses);
	for (size_t k = 0; k < v->runs.count; k++) {
		const struct coop_run *r = &v->runs.items[k];
		size_t byte = byte_of(f, l->threads.items[r->thread]);

		if (byte == NAMES) {
			free(row);
			return NULL;
		}
		memset(at, (int)byte, r->length);
		at += r->length;
	}
	f->room -= v->accesses;
	f->rows[i] = row;
	return row;
}

uint64_t coop_flat_same(const uint8_t *a, const uint8_t *b, uint64_t n)
{
	uint64_t same = 0, i = 0;

	while (n - i >= sizeof(lane)) {
		lane sum = {0};

		/* A comparison gives 255 for true; a byte counts to so much. */
		for (int k = 0; k < 255 && n - i >= sizeof(lane); k++, i += sizeof(lane)) {
			lane x, y;

			memcpy(&x, a + i, sizeof(x));
			memcpy(&y, b + i, sizeof(y));
			sum -= (lane)(x == y);
		}
		for (size_t k = 0; k < sizeof(lane); k++)
			same += sum[k];
	}
	for (; i < n; i++)
		same += a[i] == b[i];
	return same;
}
