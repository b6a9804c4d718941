/*
 * What heddle-hunt and heddle say to each other over two pipes.  Searching paths is a program of
 * its own because it needs the compiler's libraries, which nothing else of heddle does; runs are
 * made by heddle.
 *
 * heddle-hunt writes messages, each a struct hunt_message with a schedule behind it; after a
 * HUNT_SAYS_FOUND it waits for one byte: 1, a run showed the failure, or 0.  HUNT_SAYS_DONE is the
 * last.
 */
#ifndef HEDDLE_HUNT_MESSAGE_H
#define HEDDLE_HUNT_MESSAGE_H

#include <stdint.h>

#include "hunt/counts.h"

#define HUNT_MAGIC UINT64_C(0x31544e55485f4448)

enum hunt_says {
	HUNT_SAYS_FOUND = 1,
	HUNT_SAYS_DONE = 2,
	HUNT_SAYS_PASSES = 4, /* a schedule of the run that the last failure was derived from */
	HUNT_SAYS_TRIED = 3,  /* what: "flips\tsource\tresult\tpaths" of a combination */
};

struct hunt_message {
	uint64_t magic;
	uint32_t says; /* enum hunt_says */
	uint32_t site, flips;
	uint32_t failed; /* DONE: the search could not be made; what says why */
	uint64_t tries, synthesised;
	uint64_t choices; /* struct wire_choice behind it */
	char what[512];
	struct hunt_counts counts; /* so far */
};

#endif
