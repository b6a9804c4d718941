/* The symbols of an ELF file: symbol table and dynamic symbol table together. */
#ifndef HEDDLE_TRACE_ELF_SYMBOLS_H
#define HEDDLE_TRACE_ELF_SYMBOLS_H

#include "trace/elf/elf.h"

struct trace_elf_symbol {
	uint64_t addr; /* without load bias */
	uint64_t bytes;
	const char *name;
	bool is_function;
};

struct trace_elf_symbols;

/* Functions and global variables with a size, sorted by address.  None is not an error. */
int trace_elf_symbols_open(const char *path, struct trace_elf_symbols **out, struct err *e);
void trace_elf_symbols_close(struct trace_elf_symbols *s);

/* Symbol number i, NULL behind the last. */
const struct trace_elf_symbol *trace_elf_symbols_get(const struct trace_elf_symbols *s, size_t i);
/* The symbol whose extent holds addr (without load bias), NULL when none. */
const struct trace_elf_symbol *trace_elf_symbols_find(const struct trace_elf_symbols *s,
						      uint64_t addr);

#endif
