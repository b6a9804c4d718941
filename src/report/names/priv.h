/* Shared by the files names*.c; private to them. */
#ifndef HEDDLE_REPORT_NAMES_PRIV_H
#define HEDDLE_REPORT_NAMES_PRIV_H

#include "report/names/names.h"
#include "report/source.h"

struct names_event {
	uint32_t site;	    /* shown */
	const char *folded; /* the bundle's; NULL: not folded */
};

/* An address that the source has a name for. */
struct names_object {
	uint64_t addr;
	char *name;
};

struct report_names {
	const struct trace_bundle *b;
	struct report_source *source;
	VEC(struct names_event) events;
	VEC(uint32_t) threads; /* by tid: site of the first function of the user's it enters */
	VEC(struct names_object) objects;
	const uint32_t *number; /* by tid, NULL: their own */
	size_t numbers;
};


/* Names of synchronisation objects, from the calls in the source. */
void report_names_find_objects(struct report_names *n);
/* The expression in a line of source that an operation of this kind is about; "" when unknown. */
void report_names_expression(const char *line, uint8_t kind, struct strbuf *to);

#endif
