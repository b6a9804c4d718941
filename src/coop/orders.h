/*
 * From what the recording runtime left (wire/coop.h, wire/record.h) to a partial log.  The files
 * are input: nothing in them is trusted.
 */
#ifndef HEDDLE_COOP_ORDERS_H
#define HEDDLE_COOP_ORDERS_H

#include "coop/log.h"
#include "coop/profile_file.h"
#include "wire/record.h"

/*
 * Makes the file for the elements of a profile in the directory of a recording under way.  all: the
 * program was built for all elements, and those that were not chosen are switched off in the file.
 */
int coop_orders_make(const char *dir, const struct coop_profile *p, bool all, struct err *e);

/*
 * Fills build, elements, threads and vectors of *l, which must be zeroed.  Elements whose order is
 * not complete are left out; o->lost says how many.
 */
struct coop_orders {
	const char *dir;
	const struct record_ctl *ctl;
	const struct coop_profile *profile;
	bool all;      /* as it was made */
	uint32_t lost; /* out */
};
int coop_orders_read(struct coop_orders *o, struct coop_log *l, struct err *e);

#endif
