/*
 * Names of the program for what an execution has by number: threads by their function or lambda,
 * memory and objects by variables, library internals by the call of the user's that led there.
 *
 * An event inside a library function (a header of the C++ library, for instance) is folded into the
 * call of it in the user's code: its place is that call, and the library function is named.  That
 * needs the markers of the recording; without them events keep their own places.
 */
#ifndef HEDDLE_REPORT_NAMES_H
#define HEDDLE_REPORT_NAMES_H

#include "base/strbuf.h"
#include "trace/bundle/bundle.h"

struct report_names;

/* b is borrowed for as long as the names live. */
struct report_names *report_names_new(const struct trace_bundle *b);
void report_names_free(struct report_names *n);

/* Threads are called by these numbers instead of their own; borrowed. */
void report_names_renumber(struct report_names *n, const uint32_t *number, size_t count);
uint32_t report_names_number(const struct report_names *n, uint32_t tid);

/* The site an event is shown at: its own, or that of the user's call; SITE_NONE when unknown. */
uint32_t report_names_site(const struct report_names *n, size_t event);
/* Short name of the library function the event is folded into; NULL: it is not. */
const char *report_names_folded(const struct report_names *n, size_t event);

/* "T1 (consumer)", "T2 (lambda at queue.cc:31)". */
void report_names_thread(const struct report_names *n, uint32_t tid, struct strbuf *to);
/* Without number; nothing when unknown. */
void report_names_thread_only(const struct report_names *n, uint32_t tid, struct strbuf *to);
/* What lies at an address: a variable, a member, "block of 16 bytes from list_add"; or the number.
 */
void report_names_object(const struct report_names *n, uint64_t addr, struct strbuf *to);
/* What an event is about. */
void report_names_subject(const struct report_names *n, size_t event, struct strbuf *to);
/* What it did: "reads filled = 0". */
void report_names_event(const struct report_names *n, size_t event, struct strbuf *to);
/* "queue.cc:31". */
void report_names_place(const struct report_names *n, uint32_t site, struct strbuf *to);

/* C++ names made short: no parameters, no template arguments, no library prefixes. */
void report_names_short(const char *name, struct strbuf *to);

#endif
