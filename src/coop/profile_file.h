/*
 * A logging profile as a file, which an installation is given: text, one fact per line.
 *
 *	heddle coop profile 1
 *	build 40 hexadecimal digits
 *	elements 12
 *	element 3 queue.head
 *	element 7 queue.lock
 *
 * build and elements are of the program; the elements to be recorded follow in the order of their
 * numbers.  `blocks' instead of `elements': stretches of code; `global': the one order of all
 *these.
 */
#ifndef HEDDLE_COOP_PROFILE_FILE_H
#define HEDDLE_COOP_PROFILE_FILE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "wire/coop.h"

struct coop_chosen {
	uint32_t element;
	char *name;
};

struct coop_profile {
	enum coop_flavour flavour;
	uint8_t build[COOP_BUILD_BYTES];
	uint32_t elements;
	VEC(struct coop_chosen) chosen;
};

void coop_profile_fini(struct coop_profile *p);
void coop_profile_text(const struct coop_profile *p, struct strbuf *to);
/* *p must be zeroed and is zeroed again after an error. */
int coop_profile_parse(struct coop_profile *p, const char *text, struct err *e);
int coop_profile_read(struct coop_profile *p, const char *path, struct err *e);

/* As hexadecimal digits. */
void coop_build_text(const uint8_t *build, struct strbuf *to);

#endif
