/* The site table in an instrumented ELF file (wire/site.h). */
#ifndef HEDDLE_TRACE_ELF_SITES_H
#define HEDDLE_TRACE_ELF_SITES_H

#include "trace/elf/elf.h"
#include "trace/elf/sites.h"

/*
 * Appends the file's sites to t, numbered from first_site, which must be above every number in t.
 * A string distance that leads outside the string section is ERR_FORMAT.
 */
int trace_elf_sites_add(struct trace_sites *t, const char *path, uint32_t first_site,
			struct err *e);

#endif
