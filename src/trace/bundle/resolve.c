#include "trace/bundle/resolve.h"

#include <stdlib.h>
#include <string.h>

/* Addresses seen lately; most events repeat one of them, and the list stays short. */
#define RECENT 4096u

struct addresses {
	VEC_FIELDS(uint64_t);
	uint64_t recent[RECENT];
};

static void add_address(struct addresses *a, uint64_t addr)
{
	uint64_t *slot = &a->recent[(addr >> 3) % RECENT];

	if (addr == 0 || *slot == addr)
		return;
	*slot = addr;
	vec_push(a, addr);
}

/* A return address may be one past the end of its function. */
static void add_failure(struct addresses *a, const struct wire_failure *f)
{
	add_address(a, f->addr);
	add_address(a, f->object_base);
	for (uint32_t i = 0; i < f->stack_depth && i < WIRE_MAX_STACK; i++) {
		add_address(a, f->stack[i]);
		if (f->stack[i])
			add_address(a, f->stack[i] - 1);
	}
}

static void add_thread(struct addresses *a, const struct wire_thread *t)
{
	add_address(a, t->start);
	add_address(a, t->pending_addr);
	for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++)
		add_address(a, t->held[i].addr);
}

static int compare_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void collect_addresses(struct addresses *a, const struct trace_bundle *b)
{
	add_failure(a, &b->outcome.failure);
	for (size_t i = 0; i < b->threads.count; i++)
		add_thread(a, &b->threads.items[i]);
	for (size_t i = 0; i < b->events.count; i++) {
		/* The addr of these is a descriptor. */
		if (b->events.items[i].kind != EVENT_IO && b->events.items[i].kind != EVENT_FD)
			add_address(a, b->events.items[i].addr);
	}
	if (a->count)
		qsort(a->items, a->count, sizeof(*a->items), compare_u64);
}

/* Everything of one module except its sites. */
static int add_module(struct trace_bundle *b, const struct wire_module *from,
		      const struct addresses *a, struct err *e)
{
	struct trace_module m = {.load_bias = from->load_bias, .first_site = from->first_site};
	char *path = xstrndup(from->path, sizeof(from->path));
	uint32_t end;
	int rc = 0;

	if (from->sites_count > UINT32_MAX ||
	    __builtin_add_overflow(from->first_site, (uint32_t)from->sites_count, &end))
		rc = err_set(e, ERR_GUEST, "%s: impossible number of sites", path);
	m.sites_count = (uint32_t)from->sites_count;
	if (!rc)
		rc = trace_file_id_get(&m.file, path, e);
	if (!rc) {
		vec_push(&b->meta.modules, m);
		rc = trace_symbols_add(&b->symbols, path, from->load_bias, a->items, a->count, e);
	}
	free(path);
	return rc;
}

static void mark(bool *used, uint32_t count, uint32_t site)
{
	if (site < count)
		used[site] = true;
}

static void mark_used(const struct trace_bundle *b, bool *used, uint32_t count)
{
	const struct wire_failure *f = &b->outcome.failure;

	if (f->kind != FAILURE_NONE) {
		mark(used, count, f->site);
		mark(used, count, f->alloc_site);
		mark(used, count, f->free_site);
	}
	for (size_t i = 0; i < b->events.count; i++)
		mark(used, count, b->events.items[i].site);
	for (size_t i = 0; i < b->threads.count; i++) {
		const struct wire_thread *t = &b->threads.items[i];

		mark(used, count, t->pending_site);
		mark(used, count, t->create_site);
		for (unsigned k = 0; k < t->held_count && k < WIRE_MAX_HELD; k++)
			mark(used, count, t->held[k].site);
	}
}

static int add_sites(struct trace_bundle *b, const struct wire_module *modules, size_t n,
		     bool all_sites, struct err *e)
{
	uint32_t count = trace_meta_site_count(&b->meta);
	bool *used;
	int rc;

	rc = trace_sites_from_modules(&b->sites, modules, n, e);
	if (rc || all_sites)
		return rc;
	used = xcalloc(count, sizeof(*used));
	mark_used(b, used, count);
	trace_sites_keep(&b->sites, used, count);
	free(used);
	return 0;
}

int trace_resolve(struct trace_bundle *b, const struct wire_module *modules, size_t n,
		  bool all_sites, struct err *e)
{
	struct addresses *a = xcalloc(1, sizeof(*a));
	int rc = 0;

	collect_addresses(a, b);
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_module(b, &modules[i], a, e);
	if (!rc)
		rc = add_sites(b, modules, n, all_sites, e);
	vec_free(a);
	free(a);
	return rc;
}
