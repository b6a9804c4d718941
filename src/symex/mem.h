/*
 * Memory of the machine: pages of bytes, each byte concrete or an expression of 8 bits.
 *
 * A *space* is what one thread sees.  A copy of a space shares its pages until one of the two
 * writes (pages are counted), so a new thread costs the table of pages only.  What a space changed
 * since it was copied can be carried into another one: that is what a join does.
 *
 * Addresses are fixed numbers.  A page that was never mapped holds nothing; reading it fails.
 */
#ifndef HEDDLE_SYMEX_MEM_H
#define HEDDLE_SYMEX_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "symex/expr.h"

#define MEM_PAGE 4096u
#define MEM_CACHE 64u

struct mem_page {
	uint32_t refs;
	bool symbolic;	   /* some byte is an expression */
	expr_id *exprs;	   /* by byte; NULL when none is */
	uint64_t *changed; /* a bit per byte written since the space began; NULL: not kept */
	uint8_t bytes[MEM_PAGE];
};

struct mem_slot {
	uint64_t number; /* of the page; 0 is never mapped */
	struct mem_page *page;
};

struct mem_space {
	struct mem_slot *slots;
	uint32_t count, capacity;
	struct mem_slot cache[MEM_CACHE]; /* pages of this space alone */
	struct mem_slot seen[MEM_CACHE];  /* pages to read */
	struct expr_pool *pool;
	bool tracks; /* keeps what changed, for mem_carry() */
};

void mem_init(struct mem_space *s, struct expr_pool *pool);
/* A space that begins as `from' is now. */
void mem_copy(struct mem_space *to, struct mem_space *from);
void mem_fini(struct mem_space *s);

/* Makes room; bytes that were not there are 0. */
void mem_map(struct mem_space *s, uint64_t addr, uint64_t bytes);
bool mem_mapped(struct mem_space *s, uint64_t addr, uint64_t bytes);

/* False when not all of it is mapped.  At most 8 bytes; *e is 0 when they are concrete. */
bool mem_load(struct mem_space *s, uint64_t addr, uint32_t bytes, uint64_t *value, expr_id *e);
/* e 0: the number; otherwise the expression, of at least 8 * bytes bits. */
bool mem_store(struct mem_space *s, uint64_t addr, uint32_t bytes, uint64_t value, expr_id e);

/* Bytes as they are; an expression among them is an answer of false too. */
bool mem_get(struct mem_space *s, uint64_t addr, void *to, uint64_t bytes);
bool mem_put(struct mem_space *s, uint64_t addr, const void *from, uint64_t bytes);
/* With expressions; ranges may overlap. */
bool mem_move(struct mem_space *s, uint64_t to, uint64_t from, uint64_t bytes);
bool mem_fill(struct mem_space *s, uint64_t addr, uint8_t byte, uint64_t bytes);
/* True when one of the bytes is an expression. */
bool mem_symbolic(struct mem_space *s, uint64_t addr, uint64_t bytes);

/* Writes into `to' what `from' changed since it was copied. */
void mem_carry(struct mem_space *to, struct mem_space *from);

#endif
