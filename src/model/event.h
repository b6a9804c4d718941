/* What the kinds of events mean: their names, their classes, how they touch memory. */
#ifndef HEDDLE_MODEL_EVENT_H
#define HEDDLE_MODEL_EVENT_H

#include <stdbool.h>

#include "wire/event.h"

enum model_event_class {
	EVENT_CLASS_NONE,   /* no such kind */
	EVENT_CLASS_ACCESS, /* memory */
	EVENT_CLASS_SYNC,
	EVENT_CLASS_LIFE, /* threads and the process begin, end, wait for each other */
	EVENT_CLASS_MARKER,
};

/* "read", "lock-timeout"; "?" for a number that is no kind. */
const char *model_event_name(unsigned kind);
/* The inverse; EVENT_NONE for a word that is no kind. */
enum event_kind model_event_find(const char *name);

enum model_event_class model_event_class(unsigned kind);
/* "access", "synchronisation", "life cycle", "marker". */
const char *model_event_class_name(enum model_event_class class);

/* The event takes its value from memory: READ, RMW, CAS_FAIL, READ_RANGE. */
bool model_event_reads(unsigned kind);
/* The event puts a value into memory, visible to others: WRITE, RMW, WRITE_RANGE; not ISSUE. */
bool model_event_writes(unsigned kind);
/* addr is an address of the program's memory (an IO's is a descriptor, a FENCE has none). */
bool model_event_has_address(unsigned kind);

/* "relaxed", "acq-rel"; enum wire_order in the low bits of aux; "" for plain accesses. */
const char *model_order_name(unsigned order);

#endif
