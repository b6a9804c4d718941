/*
 * The site table of a bundle: site number -> source location, resolved to strings, so that reports
 * need neither the binary nor its sources.
 */
#ifndef HEDDLE_TRACE_SITES_H
#define HEDDLE_TRACE_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "wire/ctl.h"
#include "wire/site.h"

/* Strings are "" when unknown, never NULL; they belong to the table. */
struct trace_site {
	uint32_t id;
	const char *file; /* as the compiler was given it, perhaps relative to dir */
	const char *dir;  /* compilation directory */
	const char *func;
	const char *name; /* accessed expression: "q->head" */
	uint32_t line;	  /* 0 when unknown */
	uint32_t flags;	  /* enum site_flag */
	uint32_t unit;
	uint16_t column;
	uint8_t kind; /* enum event_kind */
	uint8_t size;
};

/* Sorted by id, no id twice. */
struct trace_sites {
	VEC_FIELDS(struct trace_site);
	VEC(char *) blobs; /* own the strings */
};

/* NULL for SITE_NONE and for sites the table does not have. */
const struct trace_site *trace_sites_find(const struct trace_sites *t, uint32_t id);

/*
 * Reads the tables of the modules a guest registered out of their files and numbers them as the
 * guest did.  Nothing in modules is trusted; a module whose file has another number of sites than
 * it registered is ERR_MISMATCH.  *t must be zeroed.
 */
int trace_sites_from_modules(struct trace_sites *t, const struct wire_module *modules, size_t n,
			     struct err *e);

/* Keeps only the sites whose number is marked in used[0..n). */
void trace_sites_keep(struct trace_sites *t, const bool *used, size_t n);

/* "file:line" (only the base name of the file when brief), "?" when unknown; appended to b. */
void trace_site_place(const struct trace_site *s, bool brief, struct strbuf *b);

/* In a header of the system or of the C++ library: nobody wants to see what happens inside. */
bool trace_site_is_library(const struct trace_site *s);

void trace_sites_fini(struct trace_sites *t);

/* The contents of the file "sites".  Decoding fills *t, which must be zeroed and needs fini. */
void trace_sites_encode(const struct trace_sites *t, struct strbuf *to);
int trace_sites_decode(struct trace_sites *t, const void *bytes, size_t n, struct err *e);

#endif
