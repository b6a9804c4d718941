/*
 * Static dependences of mini programs: from one operation of a thread to another, by data (values
 * and indices) and by control (branches, assumptions).  What dependence graphs of real programs
 * say, on the code of the small language.
 */
#ifndef MINI_DEPEND_H
#define MINI_DEPEND_H

#include "machine.h"

struct mini_depend {
	unsigned threads;
	struct {
		unsigned n;
		uint8_t *data, *control; /* [n * n]: from row to column */
	} of[MINI_THREADS];
	bool control_only; /* for a test: forget data */
};

void mini_depend_init(struct mini_depend *d, const struct mini_program *p);
void mini_depend_fini(struct mini_depend *d);
/* By sites (MINI_SITE); arg is the struct. */
bool mini_depends(void *arg, uint32_t read_site, uint32_t event_site);

#endif
