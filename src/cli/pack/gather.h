/* What goes into a pack beside the bundle. */
#ifndef HEDDLE_CLI_PACK_GATHER_H
#define HEDDLE_CLI_PACK_GATHER_H

#include "base/vec.h"
#include "trace/bundle/bundle.h"
#include "trace/pack/pack.h"

struct pack_file {
	enum trace_pack_role role;
	char *name, *from; /* owned */
};

struct pack_files {
	VEC_FIELDS(struct pack_file);
	unsigned missing; /* sources that are not there */
};

/* The files of the program, its libraries and linker, its sources (unless told not to), its input.
 */
int pack_gather(struct pack_files *f, const struct trace_bundle *b, bool sources, struct err *e);
/* The files of the bundle (or recording) in a directory. */
void pack_gather_bundle(struct pack_files *f, enum trace_pack_role role, const char *dir);
void pack_files_fini(struct pack_files *f);

#endif
