/* Heap blocks, synchronisation objects, and what an address lies in. */
#include <assert.h>
#include <string.h>

#include "symex/machine/machine.h"
#include "symex/machine/sharing.h"
#include "wire/ctl.h"

#define MAX_ALLOCATED (UINT64_C(1) << 30) /* bytes, of all threads together */

/* ---- blocks ---- */

static size_t block_index(const struct machine *m, uint64_t addr)
{
	size_t low = 0, high = m->blocks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->blocks.items[middle].base <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct machine_block *machine_block_at(struct machine *m, uint64_t addr)
{
	size_t i = block_index(m, addr);
	struct machine_block *b = i ? &m->blocks.items[i - 1] : NULL;

	/* A pointer right behind a block still belongs to it. */
	return b && addr - b->base <= b->bytes ? b : NULL;
}

static void insert_block(struct machine *m, struct machine_block b)
{
	size_t i = block_index(m, b.base), n = i;

	/* Memory used again: what lay there is gone. */
	while (i && m->blocks.items[i - 1].base + m->blocks.items[i - 1].bytes > b.base)
		i--;
	while (n < m->blocks.count && m->blocks.items[n].base < b.base + b.bytes)
		n++;
	if (i == n)
		vec_push(&m->blocks, b);
	else if (n - i > 1)
		memmove(&m->blocks.items[i + 1], &m->blocks.items[n],
			(m->blocks.count - n) * sizeof(b)),
			m->blocks.count -= n - i - 1;
	if (i == n)
		memmove(&m->blocks.items[i + 1], &m->blocks.items[i],
			(m->blocks.count - 1 - i) * sizeof(b));
	m->blocks.items[i] = b;
}

uint64_t machine_allocate(struct machine *m, struct machine_thread *t, uint64_t bytes,
			  uint64_t align, uint32_t site)
{
	struct symex_question q = {.ask = SYMEX_ASK_PLACE, .site = site, .size = bytes};
	struct machine_block b = {.bytes = bytes,
				  .thread = t->tid,
				  .index = t->allocations++,
				  .early = !t->controlled};
	uint64_t at = 0;

	/* A size that comes of an impossible order may be any number; the host has to hold it. */
	m->allocated += bytes < MAX_ALLOCATED ? bytes : MAX_ALLOCATED;
	if (m->allocated > MAX_ALLOCATED) {
		machine_end(m, t, SYMEX_END_LIMIT, site == SYMEX_NONE ? t->last_site : site,
			    "more than %llu bytes of memory", (unsigned long long)MAX_ALLOCATED);
		machine_escape(m);
	}
	if (machine_ask(m, t, &q, &at) == SYMEX_ANSWER_IS && at) {
		b.base = at;
	} else {
		align = align < 16 ? 16 : align;
		b.base = (t->heap + align - 1) & ~(align - 1);
		t->heap = b.base + bytes + 16;
	}
	mem_map(t->space, b.base, bytes ? bytes : 1);
	(void)mem_fill(t->space, b.base, 0, bytes);
	insert_block(m, b);
	return b.base;
}

static bool in_heap(uint64_t addr)
{
	return addr >= ADDR_HEAP && addr < ADDR_HEAP_END;
}

bool machine_block_gone(const struct machine *m, const struct machine_thread *t,
			const struct machine_block *b)
{
	return b->freed && (m->one_space || b->freed_by == t->tid);
}

/* Heap or stack that another thread may have made known to this one. */
static bool may_be_of_others(const struct machine *m, uint64_t addr)
{
	return !m->one_space &&
	       (in_heap(addr) || (addr >= ADDR_STACK && addr < ADDR_STACK_END) ||
		(addr >= ADDR_TLS && addr < ADDR_OUTSIDE));
}

bool machine_check(struct machine *m, struct machine_thread *t, uint64_t addr, uint64_t bytes,
		   uint32_t site, bool write)
{
	const char *what = write ? "write" : "read";
	struct machine_block *b = machine_block_at(m, addr);

	if (b && machine_block_gone(m, t, b))
		return machine_fail(m, t, FAILURE_USE_AFTER_FREE, site, addr,
				    "%s of a block that was freed", what),
		       false;
	if (b && bytes > b->base + b->bytes - addr)
		return machine_fail(m, t, FAILURE_HEAP_RANGE, site, addr,
				    "%s of %llu bytes behind a block", what,
				    (unsigned long long)(bytes - (b->base + b->bytes - addr))),
		       false;
	if (!b && in_heap(addr) && m->blocks.count && m->one_space)
		return machine_fail(m, t, FAILURE_HEAP_RANGE, site, addr,
				    "%s outside every block of the heap", what),
		       false;
	if (bytes <= MAX_ALLOCATED && !mem_mapped(t->space, addr, bytes) &&
	    may_be_of_others(m, addr))
		mem_map(t->space, addr, bytes);
	if (bytes > MAX_ALLOCATED || !mem_mapped(t->space, addr, bytes))
		return machine_fail(m, t, FAILURE_SIGNAL, site, addr, "%s of address 0x%llx", what,
				    (unsigned long long)addr),
		       false;
	return true;
}

/* ---- synchronisation objects ---- */

struct machine_object *machine_object(struct machine *m, uint64_t addr, uint32_t kind)
{
	struct machine_object o = {.addr = addr, .kind = kind};

	for (size_t i = 0; i < m->objects.count; i++)
		if (m->objects.items[i].addr == addr) {
			if (m->objects.items[i].kind != kind)
				m->objects.items[i] = o;
			return &m->objects.items[i];
		}
	vec_push(&m->objects, o);
	return &vec_last(&m->objects);
}

/* ---- addresses ---- */

static bool find_local(struct machine *m, uint64_t addr, struct symex_object *out)
{
	uint32_t tid =
		addr >= ADDR_STACK_MAIN ? 0 : (uint32_t)((addr - ADDR_STACK) >> ADDR_THREAD_SHIFT);
	const struct machine_thread *t = tid < m->threads.count ? m->threads.items[tid] : NULL;

	for (size_t i = t ? t->locals.count : 0; i-- > 0;) {
		const struct machine_local *l = &t->locals.items[i];

		if (addr < l->base || addr - l->base > l->bytes)
			continue;
		*out = (struct symex_object){.base = l->base,
					     .bytes = l->bytes,
					     .kind = SYMEX_OBJECT_STACK,
					     .thread = tid,
					     .index = l->serial};
		return true;
	}
	return false;
}

static bool find_tls(struct machine *m, uint64_t addr, struct symex_object *out)
{
	uint32_t tid = (uint32_t)((addr - ADDR_TLS) >> ADDR_THREAD_SHIFT);
	uint64_t offset = (addr - ADDR_TLS) & ((UINT64_C(1) << ADDR_THREAD_SHIFT) - 1);

	for (size_t i = 0; i < m->p->globals.count; i++) {
		const struct program_global *g = &m->p->globals.items[i];

		if (!g->tls || offset < g->address || offset - g->address > g->bytes)
			continue;
		*out = (struct symex_object){.base = addr - (offset - g->address),
					     .bytes = g->bytes,
					     .kind = SYMEX_OBJECT_TLS,
					     .thread = tid,
					     .name = g->name};
		return true;
	}
	return false;
}

bool symex_address_is_heap(uint64_t addr)
{
	return addr >= ADDR_HEAP && addr < ADDR_HEAP_END;
}

bool machine_find_object(struct machine *m, uint64_t addr, struct symex_object *out)
{
	const struct machine_block *b = machine_block_at(m, addr);
	const struct program_global *g;
	const struct program_function *f;

	if (b) {
		*out = (struct symex_object){
			b->base, b->bytes, SYMEX_OBJECT_HEAP, b->thread, b->index, b->freed, NULL};
		return true;
	}
	if ((addr >= ADDR_STACK && addr < ADDR_STACK_END) ||
	    (addr >= ADDR_STACK_MAIN && addr < ADDR_OUTSIDE))
		return find_local(m, addr, out);
	if (addr >= ADDR_TLS && addr < ADDR_STACK_MAIN)
		return find_tls(m, addr, out);
	g = program_global_at(m->p, addr);
	if (g) {
		*out = (struct symex_object){
			.base = g->address, .bytes = g->bytes, .name = g->name};
		out->kind = !g->value	  ? SYMEX_OBJECT_OUTSIDE
			    : g->constant ? SYMEX_OBJECT_CONSTANT
					  : SYMEX_OBJECT_GLOBAL;
		return true;
	}
	f = program_function_at(m->p, addr);
	if (!f)
		return false;
	*out = (struct symex_object){
		.base = addr, .bytes = 1, .kind = SYMEX_OBJECT_FUNCTION, .name = f->name};
	return true;
}

bool machine_shared(struct machine *m, struct machine_thread *t, uint64_t addr, uint64_t bytes,
		    bool write)
{
	if (m->one_space || !t->controlled)
		return false;
	if (m->o->shared)
		return m->o->shared(m->o->shared_arg, addr, bytes);
	sharing_touch(m->sharing, t->tid, t->tix, addr, bytes, write);
	return sharing_is(m->sharing, addr, bytes);
}
