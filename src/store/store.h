/*
 * What is kept from one hunt to the next, in one file: which recorded runs there are, by the build
 * of the program and the hash of the paths their threads took, and what was proved about which
 * combination of paths.
 *
 * Any number may have it open, to read and to write: an addition holds others up only while it is
 * made, and is there for everybody, also after a crash, when the function that adds it returns.  A
 * file of a newer heddle, or one that is damaged, is an error with its name, never guessed at.
 */
#ifndef HEDDLE_STORE_STORE_H
#define HEDDLE_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct store;

/* Makes the file when it is not there and write is set.  ERR_NOT_FOUND, ERR_FORMAT, ERR_IO. */
int store_open(const char *path, bool write, struct store **out, struct err *e);
void store_close(struct store *s);

/* Is this the name of such a file? */
bool store_is(const char *path);

/*
 * A run of a build with these paths was seen; *fresh: for the first time, and then `name' is kept
 * (the recording beside the store).
 */
int store_run_add(struct store *s, uint64_t build, uint64_t paths, const char *name, bool *fresh,
		  struct err *e);

typedef int (*store_run_fn)(void *arg, const char *name, uint64_t paths, uint64_t times,
			    struct err *e);
/* Every run of a build, oldest first; ends at the first that returns non-zero, which is returned.
 */
int store_runs(struct store *s, uint64_t build, store_run_fn each, void *arg, struct err *e);

/*
 * No schedule breaks an assertion when threads take a combination of paths: the pair is known by a
 * hash of all that makes it up.  place: where the assertion stands, for people.
 */
#define STORE_KEY_BYTES 32
int store_proof_add(struct store *s, uint64_t build, const uint8_t key[STORE_KEY_BYTES],
		    const char *place, struct err *e);
bool store_proof_has(struct store *s, uint64_t build, const uint8_t key[STORE_KEY_BYTES]);

typedef int (*store_place_fn)(void *arg, const char *place, uint64_t proofs, struct err *e);
/* Every place with the number of its proofs, in the order of their names; build 0: of all. */
int store_places(struct store *s, uint64_t build, store_place_fn each, void *arg, struct err *e);

struct store_counts {
	uint64_t builds, runs, seen, proofs;
};
/* build 0: of all. */
int store_count(struct store *s, uint64_t build, struct store_counts *out, struct err *e);

#endif
