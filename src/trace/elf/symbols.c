#include "trace/elf/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/codec.h"
#include "trace/elf/elf_symbols.h"

const struct trace_symbol *trace_symbols_find(const struct trace_symbols *t, uint64_t addr)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->items[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr - t->items[low - 1].addr >= t->items[low - 1].bytes)
		return NULL;
	return &t->items[low - 1];
}

bool trace_symbols_print(const struct trace_symbols *t, uint64_t addr, struct strbuf *b)
{
	const struct trace_symbol *s = trace_symbols_find(t, addr);

	if (!s)
		return false;
	strbuf_add(b, s->name);
	if (addr != s->addr)
		strbuf_addf(b, "+0x%" PRIx64, addr - s->addr);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct trace_symbol *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Sorts and drops what overlaps its predecessor, as another load of the same range would. */
static void sort_and_thin(struct trace_symbols *t)
{
	size_t kept = 0;

	if (t->count)
		qsort(t->items, t->count, sizeof(*t->items), compare);
	for (size_t i = 0; i < t->count; i++) {
		struct trace_symbol *last = kept ? &t->items[kept - 1] : NULL;

		if (last && t->items[i].addr - last->addr < last->bytes)
			free(t->items[i].name);
		else
			t->items[kept++] = t->items[i];
	}
	t->count = kept;
}

int trace_symbols_add(struct trace_symbols *t, const char *path, uint64_t load_bias,
		      const uint64_t *addrs, size_t n, struct err *e)
{
	const struct trace_elf_symbol *found, *last = NULL;
	struct trace_elf_symbols *all;
	int rc;

	rc = trace_elf_symbols_open(path, &all, e);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++) {
		struct trace_symbol s;

		found = trace_elf_symbols_find(all, addrs[i] - load_bias);
		if (!found || found == last)
			continue;
		last = found;
		s.addr = found->addr + load_bias;
		s.bytes = found->bytes;
		if (s.addr + s.bytes < s.addr)
			continue;
		s.name = xstrdup(found->name);
		s.is_function = found->is_function;
		vec_push(t, s);
	}
	trace_elf_symbols_close(all);
	sort_and_thin(t);
	return 0;
}

void trace_symbols_fini(struct trace_symbols *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i].name);
	vec_free(t);
}

void trace_symbols_encode(const struct trace_symbols *t, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)t->count);
	for (size_t i = 0; i < t->count; i++) {
		trace_put_u64(to, t->items[i].addr);
		trace_put_u64(to, t->items[i].bytes);
		trace_put_u8(to, t->items[i].is_function);
		trace_put_string(to, t->items[i].name);
	}
}

/* One symbol behind the last one; false when it breaks the order or is malformed. */
static bool decode_symbol(struct trace_symbols *t, struct trace_get *g)
{
	struct trace_symbol s;
	uint64_t end;
	uint8_t is_function;

	s.addr = trace_get_u64(g);
	s.bytes = trace_get_u64(g);
	is_function = trace_get_u8(g);
	s.name = trace_get_string(g);
	if (!s.name)
		return false;
	s.is_function = is_function;
	if (is_function > 1 || s.bytes == 0 || __builtin_add_overflow(s.addr, s.bytes, &end) ||
	    (t->count && s.addr < vec_last(t).addr + vec_last(t).bytes)) {
		free(s.name);
		return false;
	}
	vec_push(t, s);
	return true;
}

int trace_symbols_decode(struct trace_symbols *t, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	for (uint32_t left = trace_get_count(&g, 21); left; left--) {
		if (!decode_symbol(t, &g))
			g.bad = true;
		if (g.bad)
			break;
	}
	if (trace_get_finished(&g))
		return 0;
	trace_symbols_fini(t);
	return err_set(e, ERR_FORMAT, "symbols is malformed");
}
