/*
 * Where a pack lies while a command uses it: a directory of its own, removed when the command ends.
 *
 *	bundle.heddle   as it was packed
 *	here.heddle     the same with the names of this place: what is run
 *	program/NAME    the program, which names the linker beside it
 *	lib, ld         its libraries, the dynamic linker
 *	source/...      sources, under their own paths
 *	input, inputs   what it read
 *
 * The first stack of a program and the places of its libraries depend on the lengths of names and
 *on what the linker looks at.  So all names have one length wherever the place is, and every
 *library comes from it: what is recorded in one place is the same in another, event by event.
 */
#ifndef HEDDLE_CLI_PLACE_H
#define HEDDLE_CLI_PLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "trace/bundle/bundle.h"

struct cli_place {
	char *root;
	char *stored;		   /* bundle.heddle */
	char *here;		   /* here.heddle */
	char *sources;		   /* source */
	char *program;		   /* program/NAME, as it is started */
	unsigned libraries, files; /* how many of them, and of sources */
	bool has_linker, has_input, has_inputs;
};

/* Unpacks into a new place (*p zeroed); nothing is left after an error. */
int cli_place_make(struct cli_place *p, const char *pack, struct err *e);
/* Writes here.heddle; the program in the pack must be the recorded one. */
int cli_place_settle(struct cli_place *p, struct err *e);
void cli_place_remove(struct cli_place *p);

/*
 * For commands that take a bundle: when *bundle is a pack, it is unpacked and *bundle becomes the
 * bundle to use (borrowed): that of the place, or as_packed for those who only look.  The command
 * then goes on in a child, and this process removes the place when that ends, however it does.
 */
int cli_place_open(const char **bundle, bool as_packed, struct err *e);

/* The sources of the pack that is open, NULL when none is. */
const char *cli_place_sources(void);

#endif
