/*
 * Which events of a program may depend on which of its reads, from the bitcode its binary keeps.
 *
 * The bitcode is instrumented once more, so that every site of the binary has its instruction, and
 * a graph of dependences between instructions is made (build.h): by data (values, memory by classes
 * of places that pointers may point to, arguments and results of calls), by control (control.h),
 * and by calls that may not come back.  An event depends on a read when there is a way from what
 * the read returns to the event's happening: to its address, the value it writes, or a decision
 * whether it is reached.
 *
 * What the analysis does not understand depends on everything: unknown functions may read, write
 * and call whatever was ever handed outside, and may not come back; a program with setjmp depends
 * on everything throughout.  Too much costs precision only; too little would promise events that do
 * not happen.
 *
 * Rules of the literature (Huang 2019, §4.2) ask for a last step of control, or for data all the
 * way; we take any mixture: a value computed under a condition depends on that condition too.
 */
#ifndef HEDDLE_DEPS_DEPS_H
#define HEDDLE_DEPS_DEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct deps;

struct deps_stats {
	uint32_t units, functions, sites, nodes;
	uint64_t edges;
	bool everything; /* nothing is known: all depends on all */
};

/*
 * Analyses the instrumented binary at path; its sites are numbered from 0 as in its own table,
 * which is what a run of the program without instrumented libraries has.  ERR_NOT_FOUND when it
 * keeps no bitcode, ERR_MISMATCH when bitcode and site table are not of the same build.
 */
int deps_load(const char *path, struct deps **out, struct err *e);
void deps_free(struct deps *d);

/*
 * Whether the event at event_site may depend on what the read at read_site returned.  True for
 * sites that are not in the binary.  Safe to call from several threads at once.
 */
bool deps_depends(struct deps *d, uint32_t read_site, uint32_t event_site);

/* Whether something may depend on the site: an access that reads, a call with a result. */
bool deps_returns(const struct deps *d, uint32_t site);

struct deps_stats deps_stats(const struct deps *d);

#endif
