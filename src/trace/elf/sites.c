#include "trace/elf/sites.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "trace/codec.h"
#include "trace/elf/elf_sites.h"

#define RECORD_BYTES 36
#define NO_STRING UINT32_MAX

const struct trace_site *trace_sites_find(const struct trace_sites *t, uint32_t id)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->count && t->items[low].id == id ? &t->items[low] : NULL;
}

static int compare_modules(const void *a, const void *b)
{
	const struct wire_module *const *x = a, *const *y = b;

	return ((*x)->first_site > (*y)->first_site) - ((*x)->first_site < (*y)->first_site);
}

/* Adds the sites of one module and compares their number with what it registered. */
static int add_module(struct trace_sites *t, const struct wire_module *m, struct err *e)
{
	size_t before = t->count;
	char path[sizeof(m->path) + 1];
	int rc;

	memcpy(path, m->path, sizeof(m->path));
	path[sizeof(m->path)] = '\0';
	if (before && t->items[before - 1].id >= m->first_site)
		return err_set(e, ERR_MISMATCH, "site numbers of %s overlap another module's",
			       path);
	rc = trace_elf_sites_add(t, path, m->first_site, e);
	if (rc)
		return rc;
	if (t->count - before != m->sites_count)
		return err_set(e, ERR_MISMATCH,
			       "%s has %zu sites, but the program registered %" PRIu64
			       ": it was built anew while it ran",
			       path, t->count - before, m->sites_count);
	return 0;
}

int trace_sites_from_modules(struct trace_sites *t, const struct wire_module *modules, size_t n,
			     struct err *e)
{
	const struct wire_module **sorted = xcalloc(n, sizeof(*sorted));
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &modules[i];
	qsort(sorted, n, sizeof(*sorted), compare_modules);
	for (size_t i = 0; i < n && !rc; i++) {
		if (sorted[i]->sites_count)
			rc = add_module(t, sorted[i], e);
	}
	free(sorted);
	if (rc)
		trace_sites_fini(t);
	return rc;
}

void trace_sites_keep(struct trace_sites *t, const bool *used, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].id < n && used[t->items[i].id])
			t->items[kept++] = t->items[i];
	}
	t->count = kept;
}

void trace_site_place(const struct trace_site *s, bool brief, struct strbuf *b)
{
	const char *slash;

	if (!s || !*s->file) {
		strbuf_add_char(b, '?');
		return;
	}
	slash = brief ? strrchr(s->file, '/') : NULL;
	strbuf_add(b, slash ? slash + 1 : s->file);
	if (s->line)
		strbuf_addf(b, ":%u", s->line);
}

bool trace_site_is_library(const struct trace_site *s)
{
	return s && (strncmp(s->file, "/usr/", 5) == 0 || strstr(s->file, "/c++/") ||
		     strstr(s->file, "/cxx/bits/"));
}

void trace_sites_fini(struct trace_sites *t)
{
	for (size_t i = 0; i < t->blobs.count; i++)
		free(t->blobs.items[i]);
	vec_free(&t->blobs);
	vec_free(t);
}

/* Strings while a table is encoded: each text once. */
struct pool {
	struct strbuf text;
	VEC(uint32_t) offsets; /* in it, by number */
	struct lookup by_text;
};

static bool is_same(const void *items, uint32_t number, const void *key)
{
	const struct pool *p = items;

	return strcmp(p->text.text + p->offsets.items[number], key) == 0;
}

static uint32_t pool_add(struct pool *p, const char *text)
{
	uint64_t hash;
	uint32_t number;

	if (!text || !*text)
		return NO_STRING;
	hash = lookup_hash(text, strlen(text));
	number = lookup_find(&p->by_text, hash, is_same, p, text);
	if (number == LOOKUP_NONE) {
		number = (uint32_t)p->offsets.count;
		vec_push(&p->offsets, (uint32_t)p->text.length);
		strbuf_add_bytes(&p->text, text, strlen(text) + 1);
		lookup_add(&p->by_text, hash, number);
	}
	return p->offsets.items[number];
}

static void pool_fini(struct pool *p)
{
	strbuf_free(&p->text);
	vec_free(&p->offsets);
	lookup_fini(&p->by_text);
}

static void encode_site(const struct trace_site *s, struct pool *strings, struct strbuf *to)
{
	trace_put_u32(to, s->id);
	trace_put_u32(to, pool_add(strings, s->file));
	trace_put_u32(to, pool_add(strings, s->dir));
	trace_put_u32(to, pool_add(strings, s->func));
	trace_put_u32(to, pool_add(strings, s->name));
	trace_put_u32(to, s->line);
	trace_put_u32(to, s->flags);
	trace_put_u32(to, s->unit);
	trace_put_u16(to, s->column);
	trace_put_u8(to, s->kind);
	trace_put_u8(to, s->size);
}

void trace_sites_encode(const struct trace_sites *t, struct strbuf *to)
{
	struct pool strings = {.text = STRBUF_INIT};

	trace_put_u32(to, (uint32_t)t->count);
	for (size_t i = 0; i < t->count; i++)
		encode_site(&t->items[i], &strings, to);
	trace_put_u32(to, (uint32_t)strings.text.length);
	strbuf_add_bytes(to, strings.text.text, strings.text.length);
	pool_fini(&strings);
}

/* The text at an offset of the string area, which ends with a NUL; NULL when outside. */
static const char *text_at(const char *strings, uint32_t bytes, uint32_t offset)
{
	if (offset == NO_STRING)
		return "";
	return offset < bytes ? strings + offset : NULL;
}

static int decode_site(struct trace_site *s, const uint8_t *p, const char *strings, uint32_t bytes)
{
	s->id = trace_load_u32(p);
	s->file = text_at(strings, bytes, trace_load_u32(p + 4));
	s->dir = text_at(strings, bytes, trace_load_u32(p + 8));
	s->func = text_at(strings, bytes, trace_load_u32(p + 12));
	s->name = text_at(strings, bytes, trace_load_u32(p + 16));
	s->line = trace_load_u32(p + 20);
	s->flags = trace_load_u32(p + 24);
	s->unit = trace_load_u32(p + 28);
	s->column = trace_load_u16(p + 32);
	s->kind = p[34];
	s->size = p[35];
	return s->file && s->dir && s->func && s->name ? 0 : -1;
}

int trace_sites_decode(struct trace_sites *t, const void *bytes, size_t n, struct err *e)
{
	uint32_t count, string_bytes;
	const uint8_t *records;
	const char *area;
	struct trace_get g;
	char *strings;

	trace_get_init(&g, bytes, n);
	count = trace_get_count(&g, RECORD_BYTES);
	records = trace_get_bytes(&g, (uint64_t)count * RECORD_BYTES);
	string_bytes = trace_get_u32(&g);
	area = trace_get_bytes(&g, string_bytes);
	if (!trace_get_finished(&g) || (string_bytes && area[string_bytes - 1] != '\0'))
		return err_set(e, ERR_FORMAT, "sites is malformed");
	strings = xmalloc((size_t)string_bytes + 1);
	memcpy(strings, area, string_bytes);
	vec_push(&t->blobs, strings);
	vec_reserve(t, count);
	for (uint32_t i = 0; i < count; i++) {
		struct trace_site s;

		if (decode_site(&s, records + (size_t)i * RECORD_BYTES, strings, string_bytes) ||
		    s.id == SITE_NONE || (i && s.id <= t->items[i - 1].id)) {
			trace_sites_fini(t);
			return err_set(e, ERR_FORMAT, "sites is malformed at record %u", i);
		}
		vec_push(t, s);
	}
	return 0;
}
