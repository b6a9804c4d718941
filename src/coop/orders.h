/*
 * From what the recording runtime left (wire/coop.h, wire/record.h) to a partial log.  The files
 * are input: nothing in them is trusted.
 */
#ifndef HEDDLE_COOP_ORDERS_H
#define HEDDLE_COOP_ORDERS_H

#include "coop/log.h"
#include "coop/profile_file.h"
#include "wire/record.h"

/* Makes the file for the elements of a profile in the directory of a recording under way. */
int coop_orders_make(const char *dir, const struct coop_profile *p, struct err *e);

/*
 * Fills build, elements, threads and vectors of *l, which must be zeroed.  Elements whose order is
 * not complete are left out; *lost says how many.
 */
int coop_orders_read(const char *dir, const struct record_ctl *ctl, const struct coop_profile *p,
		     struct coop_log *l, uint32_t *lost, struct err *e);

#endif
