#include "explore/published/static_deps.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MOST_SITES (4u << 20) /* a table for more would not fit anyway */
#define HEADER 16

struct static_deps {
	uint32_t sites;
	size_t words;	 /* of a row */
	uint64_t **rows; /* by site, NULL: depends on everything */
	uint64_t *bits;
};

static uint32_t u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t u64(const uint8_t *p)
{
	return u32(p) | (uint64_t)u32(p + 4) << 32;
}

static int read_rows(struct static_deps *d, const uint8_t *p, uint32_t rows, struct err *e)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < rows; i++) {
		uint64_t *row = d->bits + i * d->words;
		uint32_t site = u32(p);

		if (site < next || site >= d->sites)
			return err_set(e, ERR_FORMAT, "row %u of the dependences is of site %u", i,
				       site);
		next = site + 1;
		p += 8;
		for (size_t w = 0; w < d->words; w++, p += 8)
			row[w] = u64(p);
		d->rows[site] = row;
	}
	return 0;
}

int static_deps_parse(const void *bytes, size_t n, struct static_deps **out, struct err *e)
{
	const uint8_t *p = bytes;
	struct static_deps *d;
	uint32_t rows;
	int rc;

	if (n < HEADER || memcmp(p, STATIC_DEPS_MAGIC, sizeof(STATIC_DEPS_MAGIC)))
		return err_set(e, ERR_FORMAT, "no table of dependences");
	d = xcalloc(1, sizeof(*d));
	d->sites = u32(p + 8);
	d->words = (size_t)d->sites / 64 + 1;
	rows = u32(p + 12);
	if (d->sites > MOST_SITES || rows > d->sites || (n - HEADER) / (8 + d->words * 8) != rows ||
	    (n - HEADER) % (8 + d->words * 8)) {
		free(d);
		return err_set(e, ERR_FORMAT, "the table of dependences has another length");
	}
	d->rows = xcalloc((size_t)d->sites + 1, sizeof(*d->rows));
	d->bits = xcalloc((size_t)rows * d->words + 1, sizeof(*d->bits));
	rc = read_rows(d, p + HEADER, rows, e);
	if (rc)
		static_deps_free(d);
	else
		*out = d;
	return rc;
}

void static_deps_free(struct static_deps *d)
{
	if (!d)
		return;
	free(d->rows);
	free(d->bits);
	free(d);
}

bool static_deps_depends(void *arg, uint32_t read_site, uint32_t event_site)
{
	const struct static_deps *d = arg;

	if (read_site >= d->sites || event_site >= d->sites || !d->rows[read_site])
		return true;
	return d->rows[read_site][event_site / 64] >> (event_site % 64) & 1;
}
