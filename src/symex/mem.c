#include "symex/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PAGE_OF(addr) ((addr) / MEM_PAGE)
#define OFFSET_OF(addr) ((uint32_t)((addr) % MEM_PAGE))

void mem_init(struct mem_space *s, struct expr_pool *pool)
{
	memset(s, 0, sizeof(*s));
	s->capacity = 256;
	s->slots = xcalloc(s->capacity, sizeof(*s->slots));
	s->pool = pool;
}

static void drop_page(struct mem_page *p)
{
	assert(p->refs > 0);
	if (--p->refs)
		return;
	free(p->exprs);
	free(p->changed);
	free(p);
}

void mem_fini(struct mem_space *s)
{
	for (uint32_t i = 0; i < s->capacity; i++)
		if (s->slots[i].page)
			drop_page(s->slots[i].page);
	free(s->slots);
	memset(s, 0, sizeof(*s));
}

void mem_copy(struct mem_space *to, struct mem_space *from)
{
	*to = *from;
	to->slots = xcalloc(from->capacity, sizeof(*to->slots));
	memcpy(to->slots, from->slots, from->capacity * sizeof(*to->slots));
	for (uint32_t i = 0; i < to->capacity; i++)
		if (to->slots[i].page)
			to->slots[i].page->refs++;
	/* Both must look again before they write. */
	memset(to->cache, 0, sizeof(to->cache));
	memset(from->cache, 0, sizeof(from->cache));
	memset(to->seen, 0, sizeof(to->seen));
	memset(from->seen, 0, sizeof(from->seen));
	to->tracks = true;
}

static uint32_t slot_at(const struct mem_space *s, uint64_t number)
{
	uint32_t at = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->capacity - 1);

	while (s->slots[at].page && s->slots[at].number != number)
		at = (at + 1) & (s->capacity - 1);
	return at;
}

static void grow(struct mem_space *s)
{
	struct mem_slot *old = s->slots;
	uint32_t n = s->capacity;

	s->capacity *= 2;
	s->slots = xcalloc(s->capacity, sizeof(*s->slots));
	for (uint32_t i = 0; i < n; i++)
		if (old[i].page)
			s->slots[slot_at(s, old[i].number)] = old[i];
	free(old);
}

static struct mem_page *find(struct mem_space *s, uint64_t number)
{
	return s->slots[slot_at(s, number)].page;
}

/* The page for reading. */
static struct mem_page *page_at(struct mem_space *s, uint64_t number)
{
	struct mem_slot *c = &s->cache[number % MEM_CACHE];

	if (__builtin_expect(c->number == number && c->page, 1))
		return c->page;
	c = &s->seen[number % MEM_CACHE];
	if (c->number != number || !c->page) {
		c->number = number;
		c->page = find(s, number);
	}
	return c->page;
}

static struct mem_page *copy_page(const struct mem_page *from)
{
	struct mem_page *p = xmalloc(sizeof(*p));

	*p = *from;
	p->refs = 1;
	p->changed = NULL;
	if (from->exprs) {
		p->exprs = xmalloc(MEM_PAGE * sizeof(*p->exprs));
		memcpy(p->exprs, from->exprs, MEM_PAGE * sizeof(*p->exprs));
	}
	return p;
}

/* The page for writing: of this space alone. */
static struct mem_page *own_page(struct mem_space *s, uint64_t number)
{
	struct mem_slot *c = &s->cache[number % MEM_CACHE];
	uint32_t at;

	if (__builtin_expect(c->number == number && c->page, 1))
		return c->page;
	at = slot_at(s, number);
	if (!s->slots[at].page)
		return NULL;
	if (s->slots[at].page->refs > 1) {
		struct mem_page *fresh = copy_page(s->slots[at].page);

		drop_page(s->slots[at].page);
		s->slots[at].page = fresh;
	}
	if (s->tracks && !s->slots[at].page->changed)
		s->slots[at].page->changed = xcalloc(MEM_PAGE / 64, sizeof(uint64_t));
	*c = s->slots[at];
	s->seen[number % MEM_CACHE].page = NULL;
	return c->page;
}

void mem_map(struct mem_space *s, uint64_t addr, uint64_t bytes)
{
	uint64_t last = PAGE_OF(addr + (bytes ? bytes - 1 : 0));

	for (uint64_t number = PAGE_OF(addr); number <= last; number++) {
		uint32_t at = slot_at(s, number);

		if (s->slots[at].page)
			continue;
		s->slots[at].number = number;
		s->slots[at].page = xcalloc(1, sizeof(struct mem_page));
		s->slots[at].page->refs = 1;
		if (++s->count * 2 > s->capacity)
			grow(s);
	}
}

bool mem_mapped(struct mem_space *s, uint64_t addr, uint64_t bytes)
{
	if (bytes && addr + bytes - 1 < addr)
		return false;
	for (uint64_t n = PAGE_OF(addr); bytes && n <= PAGE_OF(addr + bytes - 1); n++)
		if (!page_at(s, n))
			return false;
	return true;
}

static void mark(struct mem_page *p, uint32_t offset, uint32_t bytes)
{
	for (uint32_t i = offset; p->changed && i < offset + bytes; i++)
		p->changed[i / 64] |= UINT64_C(1) << i % 64;
}

static expr_id byte_expr(struct mem_space *s, uint64_t addr)
{
	const struct mem_page *p = page_at(s, PAGE_OF(addr));
	uint32_t at = OFFSET_OF(addr);

	if (p->exprs && p->exprs[at])
		return p->exprs[at];
	return expr_const(s->pool, 8, p->bytes[at]);
}

static bool load_slow(struct mem_space *s, uint64_t addr, uint32_t bytes, uint64_t *value,
		      expr_id *e)
{
	if (!mem_mapped(s, addr, bytes))
		return false;
	*e = EXPR_NONE;
	*value = 0;
	if (mem_symbolic(s, addr, bytes)) {
		*e = byte_expr(s, addr + bytes - 1);
		for (uint32_t i = bytes - 1; i-- > 0;)
			*e = expr_concat(s->pool, *e, byte_expr(s, addr + i));
		return true;
	}
	for (uint32_t i = 0; i < bytes; i++)
		*value |= (uint64_t)page_at(s, PAGE_OF(addr + i))->bytes[OFFSET_OF(addr + i)]
			  << 8 * i;
	return true;
}

bool mem_load(struct mem_space *s, uint64_t addr, uint32_t bytes, uint64_t *value, expr_id *e)
{
	uint32_t at = OFFSET_OF(addr);
	const struct mem_page *p = page_at(s, PAGE_OF(addr));

	assert(bytes >= 1 && bytes <= 8);
	if (__builtin_expect(!p || p->symbolic || at + bytes > MEM_PAGE, 0))
		return load_slow(s, addr, bytes, value, e);
	*e = EXPR_NONE;
	if (at + 8 <= MEM_PAGE) {
		memcpy(value, p->bytes + at, 8);
		*value &= ~UINT64_C(0) >> (64 - 8 * bytes);
	} else {
		*value = 0;
		memcpy(value, p->bytes + at, bytes);
	}
	return true;
}

static void store_byte(struct mem_space *s, uint64_t addr, uint8_t byte, expr_id e)
{
	struct mem_page *p = own_page(s, PAGE_OF(addr));
	uint32_t at = OFFSET_OF(addr);
	expr_value value;

	if (e && expr_is_const(s->pool, e, &value)) {
		byte = (uint8_t)value;
		e = EXPR_NONE;
	}
	if (e && !p->exprs) {
		p->exprs = xcalloc(MEM_PAGE, sizeof(*p->exprs));
		p->symbolic = true;
	}
	if (p->exprs)
		p->exprs[at] = e;
	p->bytes[at] = e ? 0 : byte;
	mark(p, at, 1);
}

bool mem_store(struct mem_space *s, uint64_t addr, uint32_t bytes, uint64_t value, expr_id e)
{
	uint32_t at = OFFSET_OF(addr);
	struct mem_page *p = own_page(s, PAGE_OF(addr));

	assert(bytes >= 1 && bytes <= 8);
	if (__builtin_expect(p && !p->symbolic && !e && at + bytes <= MEM_PAGE, 1)) {
		memcpy(p->bytes + at, &value, bytes);
		if (p->changed)
			mark(p, at, bytes);
		return true;
	}
	if (!mem_mapped(s, addr, bytes))
		return false;
	for (uint32_t i = 0; i < bytes; i++)
		store_byte(s, addr + i, (uint8_t)(value >> 8 * i),
			   e ? expr_extract(s->pool, e, 8 * i, 8) : EXPR_NONE);
	return true;
}

bool mem_symbolic(struct mem_space *s, uint64_t addr, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes;) {
		const struct mem_page *p = page_at(s, PAGE_OF(addr + i));
		uint32_t at = OFFSET_OF(addr + i);

		if (!p || !p->symbolic) {
			i += MEM_PAGE - at;
			continue;
		}
		if (p->exprs[at])
			return true;
		i++;
	}
	return false;
}

bool mem_get(struct mem_space *s, uint64_t addr, void *to, uint64_t bytes)
{
	if (!mem_mapped(s, addr, bytes) || mem_symbolic(s, addr, bytes))
		return false;
	for (uint64_t i = 0; i < bytes;) {
		uint32_t at = OFFSET_OF(addr + i);
		uint64_t n = MEM_PAGE - at < bytes - i ? MEM_PAGE - at : bytes - i;

		memcpy((char *)to + i, page_at(s, PAGE_OF(addr + i))->bytes + at, n);
		i += n;
	}
	return true;
}

bool mem_put(struct mem_space *s, uint64_t addr, const void *from, uint64_t bytes)
{
	if (!mem_mapped(s, addr, bytes))
		return false;
	for (uint64_t i = 0; i < bytes;) {
		uint32_t at = OFFSET_OF(addr + i);
		uint64_t n = MEM_PAGE - at < bytes - i ? MEM_PAGE - at : bytes - i;
		struct mem_page *p = own_page(s, PAGE_OF(addr + i));

		memcpy(p->bytes + at, (const char *)from + i, n);
		if (p->exprs)
			memset(p->exprs + at, 0, n * sizeof(*p->exprs));
		mark(p, at, (uint32_t)n);
		i += n;
	}
	return true;
}

bool mem_move(struct mem_space *s, uint64_t to, uint64_t from, uint64_t bytes)
{
	uint8_t *copy;
	expr_id *exprs = NULL;

	if (!mem_mapped(s, to, bytes) || !mem_mapped(s, from, bytes))
		return false;
	copy = xmalloc(bytes + 1);
	if (mem_symbolic(s, from, bytes))
		exprs = xcalloc(bytes, sizeof(*exprs));
	for (uint64_t i = 0; i < bytes; i++) {
		const struct mem_page *p = page_at(s, PAGE_OF(from + i));

		copy[i] = p->bytes[OFFSET_OF(from + i)];
		if (exprs && p->exprs)
			exprs[i] = p->exprs[OFFSET_OF(from + i)];
	}
	(void)mem_put(s, to, copy, bytes);
	for (uint64_t i = 0; exprs && i < bytes; i++)
		if (exprs[i])
			store_byte(s, to + i, 0, exprs[i]);
	free(exprs);
	free(copy);
	return true;
}

bool mem_fill(struct mem_space *s, uint64_t addr, uint8_t byte, uint64_t bytes)
{
	uint8_t block[256];

	if (!mem_mapped(s, addr, bytes))
		return false;
	memset(block, byte, sizeof(block));
	for (uint64_t i = 0; i < bytes; i += sizeof(block))
		(void)mem_put(s, addr + i, block,
			      bytes - i < sizeof(block) ? bytes - i : sizeof(block));
	return true;
}

static void carry_page(struct mem_space *to, uint64_t number, const struct mem_page *from)
{
	for (uint32_t i = 0; i < MEM_PAGE; i++) {
		if (!(from->changed[i / 64] >> i % 64 & 1))
			continue;
		store_byte(to, number * MEM_PAGE + i, from->bytes[i],
			   from->exprs ? from->exprs[i] : EXPR_NONE);
	}
}

void mem_carry(struct mem_space *to, struct mem_space *from)
{
	for (uint32_t i = 0; i < from->capacity; i++) {
		const struct mem_slot *s = &from->slots[i];

		if (!s->page || !s->page->changed)
			continue;
		mem_map(to, s->number * MEM_PAGE, MEM_PAGE);
		carry_page(to, s->number, s->page);
	}
}
