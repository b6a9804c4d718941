/* What the machine has of what heddle needs or can use. */
#ifndef HEDDLE_CLI_HOME_MACHINE_H
#define HEDDLE_CLI_HOME_MACHINE_H

#include "base/vec.h"

enum machine_state {
	MACHINE_OK,
	MACHINE_NO,	 /* something cannot be used; the rest can */
	MACHINE_MISSING, /* nothing works without */
};

struct machine_fact {
	const char *name;
	enum machine_state state;
	char *text;
	const char *mend; /* how; NULL: nothing to be done */
};

struct machine {
	VEC(struct machine_fact) facts;
};

/* Looks, and tries a small program; nothing is left behind. */
void machine_look(struct machine *m);
void machine_fini(struct machine *m);

#endif
