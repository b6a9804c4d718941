/*
 * What heddle-solve tells heddle: a file with this, then the schedule.  Both are parts of one
 * installation; solving is a program of its own because it needs the compiler's libraries, which
 * nothing else of heddle does.
 */
#ifndef HEDDLE_REPRO_ANSWER_H
#define HEDDLE_REPRO_ANSWER_H

#include <stdint.h>

#define REPRO_ANSWER_MAGIC UINT64_C(0x31534e415f444448)

struct repro_answer {
	uint64_t magic;
	uint32_t answer; /* enum solve_answer */
	uint32_t model;	 /* enum wire_model */
	uint64_t vars, total, rw, path, sync, order;
	uint64_t events, rounds, execute_ns, solve_ns;
	uint64_t choices; /* struct wire_choice behind it */
	char reason[512];
};

#endif
