/*
 * ELF64 files of this machine, as far as bundles need them: sections, sites, symbols, build id.
 * The file is input: every offset, size and index is checked against the file before use, and
 * sections are read, not mapped, so a file that shrinks meanwhile is an error and not a crash.
 */
#ifndef HEDDLE_TRACE_ELF_H
#define HEDDLE_TRACE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct trace_elf;

struct trace_elf_section {
	uint64_t addr; /* virtual address without load bias */
	uint64_t bytes;
	char *contents; /* caller frees; one NUL follows */
	uint32_t link;	/* sh_link */
	uint64_t entry_bytes;
};

/* ERR_FORMAT when it is not an ELF64 file for x86-64 (executable, shared or relocatable). */
int trace_elf_open(const char *path, struct trace_elf **out, struct err *e);
void trace_elf_close(struct trace_elf *elf);

bool trace_elf_has_section(const struct trace_elf *elf, const char *name);

/* Reads the section called name, or number `index'; ERR_NOT_FOUND when there is none. */
int trace_elf_read(const struct trace_elf *elf, const char *name, struct trace_elf_section *out,
		   struct err *e);
int trace_elf_read_index(const struct trace_elf *elf, uint32_t index, struct trace_elf_section *out,
			 struct err *e);

/* Index of the first section of this ELF type (SHT_*), 0 when none. */
uint32_t trace_elf_find_type(const struct trace_elf *elf, uint32_t type);

/* Copies at most max bytes of the build id; returns its length, 0 when there is none. */
size_t trace_elf_build_id(const struct trace_elf *elf, uint8_t *id, size_t max);

/*
 * Is the file at path built with heddle cc, that is, does it have a site table?  0 when it is,
 * ERR_NOT_FOUND when there is no such file, ERR_FORMAT when it is no ELF file, ERR_MISMATCH when it
 * is one without instrumentation.
 */
int trace_elf_check_instrumented(const char *path, struct err *e);

#endif
