/* Phrases about parts of a bundle: places, threads, objects, events. */
#ifndef HEDDLE_REPORT_PHRASE_H
#define HEDDLE_REPORT_PHRASE_H

#include "base/strbuf.h"
#include "trace/bundle/bundle.h"

/* "file.c:12" or "an unknown place". */
void report_phrase_place(const struct trace_bundle *b, uint32_t site, struct strbuf *to);
/* "T1" and, when known, the name of the thread or of its start routine: "T1 (worker)". */
void report_phrase_thread(const struct trace_bundle *b, uint32_t tid, struct strbuf *to);
/* Name of the thread or of its start routine alone; nothing when unknown. */
void report_phrase_thread_name(const struct trace_bundle *b, uint32_t tid, struct strbuf *to);
/* The symbol at addr, else the address. */
void report_phrase_object(const struct trace_bundle *b, uint64_t addr, struct strbuf *to);
/* What an access at this site and address touches: "q->head", the symbol, or the address. */
void report_phrase_variable(const struct trace_bundle *b, uint32_t site, uint64_t addr,
			    struct strbuf *to);
/* A value of so many bytes as a person would write it. */
void report_phrase_value(const struct trace_bundle *b, uint64_t value, uint8_t size,
			 struct strbuf *to);
/* What an event did: "reads balance = 0", "locks m". */
void report_phrase_event(const struct trace_bundle *b, const struct wire_event *v,
			 struct strbuf *to);

#endif
