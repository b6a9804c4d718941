/*
 * Names of the functions and global variables a bundle mentions by address (start routines, locks,
 * the failure's address and stack, accessed globals).  File "symbols" of a bundle.
 */
#ifndef HEDDLE_TRACE_SYMBOLS_H
#define HEDDLE_TRACE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct trace_symbol {
	uint64_t addr; /* in the run: load bias added */
	uint64_t bytes;
	char *name;
	bool is_function;
};

/* Sorted by addr; symbols do not overlap. */
struct trace_symbols {
	VEC_FIELDS(struct trace_symbol);
};

/* The symbol whose extent holds addr, NULL when none. */
const struct trace_symbol *trace_symbols_find(const struct trace_symbols *t, uint64_t addr);

/* "name" or "name+0x10" appended to b; false (and nothing appended) when there is no symbol. */
bool trace_symbols_print(const struct trace_symbols *t, uint64_t addr, struct strbuf *b);

/*
 * Adds the symbols of one loaded ELF file that hold any of the n addresses, which must be sorted.
 * A file without symbols adds nothing.
 */
int trace_symbols_add(struct trace_symbols *t, const char *path, uint64_t load_bias,
		      const uint64_t *addrs, size_t n, struct err *e);

void trace_symbols_fini(struct trace_symbols *t);

/* The contents of the file "symbols".  Decoding fills *t, which must be zeroed and needs fini. */
void trace_symbols_encode(const struct trace_symbols *t, struct strbuf *to);
int trace_symbols_decode(struct trace_symbols *t, const void *bytes, size_t n, struct err *e);

#endif
