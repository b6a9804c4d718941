/* What a search did and what came of it. */
#ifndef HEDDLE_HUNT_COUNTS_H
#define HEDDLE_HUNT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct hunt_counts {
	uint64_t runs; /* distinct recorded ones */
	uint64_t tries, synthesised, flips;
	uint64_t proved;    /* pairs of assertion and combination that no order breaks */
	uint64_t known;	    /* of these, by an earlier hunt */
	uint64_t undecided; /* questions without an answer */
	uint64_t questions, combinations;
	uint64_t together;   /* questions that processes of their own answered */
	uint64_t assertions; /* places of assertions that were asked about */
	uint64_t solve_ns, execute_ns;
	uint64_t longest_ns; /* of the questions */
	bool complete;	     /* nothing is left */
	bool blocking;	     /* threads wait for each other in ways that are not asked about */
	bool outside;	     /* something is accessed that the executor knows no memory at */
	bool reuse;	     /* memory that several threads use is given back */
	char reason[512];    /* of the first thing undecided */
	char place[256];
};

#endif
