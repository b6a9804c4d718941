/* Logs written down: "0 0 1" is the vector [T0:1, T0:1, T0:2] of numbers of threads. */
#ifndef HEDDLE_TESTS_UNIT_COOP_LOGS_H
#define HEDDLE_TESTS_UNIT_COOP_LOGS_H

#include "coop/log.h"

/* An empty failing log of a program with that many elements. */
void log_begin(struct coop_log *l, uint32_t elements, uint64_t run_id);
/* A vector: each digit is an access by thread "0:digit". */
void log_vector(struct coop_log *l, uint32_t element, const char *digits);

#endif
