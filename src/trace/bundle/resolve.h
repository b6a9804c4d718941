/*
 * Makes a bundle self-contained: looks up in the modules' files what its numbers and addresses
 * mean, so that a report needs neither binary nor sources.
 */
#ifndef HEDDLE_TRACE_RESOLVE_H
#define HEDDLE_TRACE_RESOLVE_H

#include "trace/bundle/bundle.h"

/*
 * Fills meta.modules, sites and symbols of *b from the n modules the guest registered (not trusted:
 * numbers are checked, texts cut at their field).  Everything else of the execution (events,
 * threads, outcome) must be there already: it says which addresses and sites matter.  With
 * all_sites false only the sites the bundle mentions are kept.
 *
 * ERR_NOT_FOUND when a module's file is gone, ERR_MISMATCH when it was built anew meanwhile.
 */
int trace_resolve(struct trace_bundle *b, const struct wire_module *modules, size_t n,
		  bool all_sites, struct err *e);

#endif
