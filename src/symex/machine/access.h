/* Reads and writes as events with their parts.  Private to symex. */
#ifndef HEDDLE_SYMEX_MACHINE_ACCESS_H
#define HEDDLE_SYMEX_MACHINE_ACCESS_H

#include "symex/machine/machine.h"

/* At most 8 bytes, which are there; what was read is *value, or *expr unless that is 0. */
void access_read(struct machine *m, struct machine_thread *t, struct symex_event *e, uint64_t addr,
		 uint32_t bytes, uint64_t *value, expr_id *expr);
void access_write(struct machine *m, struct machine_thread *t, struct symex_event *e, uint64_t addr,
		  uint32_t bytes, uint64_t value, expr_id expr);
/* Any number of bytes.  What is written lies in memory already. */
void access_read_range(struct machine *m, struct machine_thread *t, struct symex_event *e,
		       uint64_t addr, uint64_t bytes);
void access_write_range(struct machine *m, struct machine_thread *t, struct symex_event *e,
			uint64_t addr, uint64_t bytes);

#endif
