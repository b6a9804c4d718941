#include "support_logs.h"

#include <stdio.h>
#include <string.h>

void log_begin(struct coop_log *l, uint32_t elements, uint64_t run_id)
{
	memset(l, 0, sizeof(*l));
	l->elements = elements;
	l->run_id = run_id;
	l->outcome = COOP_CRASH;
	l->signature = xstrdup("assert");
}

void log_vector(struct coop_log *l, uint32_t element, const char *digits)
{
	struct coop_vector *v = coop_log_add(l, element);

	for (; *digits; digits++) {
		char name[8];

		snprintf(name, sizeof(name), "0:%c", *digits);
		coop_vector_push(v, coop_log_thread(l, name), 1);
	}
	coop_vector_seal(l, v);
}
