/*
 * A pack: one file with a bundle and what its program needs, to be replayed by somebody else.
 * heddle-pack(1) has the format.
 *
 * A line "heddle-pack 1", then frames (trace/bundle/frame.h) numbered from 0 through the file: a
 * frame of type MEMBER says what comes, frames of type CONTENTS are its bytes (the last one
 * marked), and one of type END has the number of members, so that a file that was cut short is
 * noticed.
 *
 * A pack comes from somebody else.  The name of a member is checked against its role before it is
 * handed out: a plain file name, or for sources an absolute path without "." and "..".  So it can
 * be put behind the name of a directory of ours and stays in there.
 */
#ifndef HEDDLE_TRACE_PACK_H
#define HEDDLE_TRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* X(NAME, number, what a name is).  Numbers are part of the format. */
#define TRACE_PACK_ROLES                                                                           \
	X(BUNDLE, 1, PACK_NAME_PART)   /* a file of the bundle */                                  \
	X(PROGRAM, 2, PACK_NAME_PLAIN) /* the executable */                                        \
	X(LIBRARY, 3, PACK_NAME_PLAIN) /* a shared library, by the name programs ask for */        \
	X(LINKER, 4, PACK_NAME_PLAIN)  /* the dynamic linker */                                    \
	X(SOURCE, 5, PACK_NAME_PATH)   /* a source file */                                         \
	X(INPUT, 6, PACK_NAME_PLAIN)   /* what was the program's standard input */                 \
	X(INPUTS, 7, PACK_NAME_PART)   /* a file of the recording whose inputs were used */

enum trace_pack_role {
#define X(name, number, kind) TRACE_PACK_##name = number,
	TRACE_PACK_ROLES
#undef X
};

#define TRACE_PACK_MAX_MEMBERS 65536
#define TRACE_PACK_MAX_BYTES (UINT64_C(16) << 30) /* of all contents together */

struct trace_pack_member {
	enum trace_pack_role role;
	char *name; /* owned */
	uint64_t bytes;
};

void trace_pack_member_fini(struct trace_pack_member *m);

/* May a member with this role be called so? */
bool trace_pack_name_is_good(enum trace_pack_role role, const char *name);

/*
 * The name of a source file that the compiler called `file' in `dir': absolute, with "." and ".."
 * taken out of the text.  NULL when there is no such name; caller frees.
 */
char *trace_pack_source_name(const char *dir, const char *file);

/* ---- reading ---- */

struct trace_pack_in {
	int fd;
	uint32_t number; /* of the next frame */
	uint32_t members;
	uint64_t left;	/* of the member's contents */
	uint64_t total; /* of all members so far */
	bool ended;
};

/* Does the file begin as a pack does? */
bool trace_pack_is(const char *path);

int trace_pack_open(struct trace_pack_in *p, const char *path, struct err *e);
/* The same for a file that is open; closed by trace_pack_close(), also after an error. */
int trace_pack_open_fd(struct trace_pack_in *p, int fd, struct err *e);

/*
 * The next member: 1, 0 at the end of a whole pack, or an error.  Its contents must be taken with
 * trace_pack_contents() before the next call.  *m needs fini after 1.
 */
int trace_pack_next(struct trace_pack_in *p, struct trace_pack_member *m, struct err *e);
/* Writes them to fd; -1 passes over them. */
int trace_pack_contents(struct trace_pack_in *p, int fd, struct err *e);
void trace_pack_close(struct trace_pack_in *p);

/* ---- writing ---- */

struct trace_pack_out {
	int fd;
	char *path, *temporary; /* where it will be, and where it is until trace_pack_commit() */
	uint32_t number, members;
};

/* ERR_EXISTS when path is there already.  The file is for its owner alone (0600). */
int trace_pack_create(struct trace_pack_out *p, const char *path, struct err *e);
/* The contents are those of the file `from'; name is good for the role. */
int trace_pack_add(struct trace_pack_out *p, enum trace_pack_role role, const char *name,
		   const char *from, struct err *e);
/* Ends it: p->temporary is a whole pack now. */
int trace_pack_finish(struct trace_pack_out *p, struct err *e);
/* Puts it in its place. */
int trace_pack_commit(struct trace_pack_out *p, struct err *e);
/* Removes what is still temporary and frees the rest; also needed after a commit. */
void trace_pack_abort(struct trace_pack_out *p);

#endif
