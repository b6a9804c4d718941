#include "run/confirm/refine.h"

#include "base/log.h"
#include "run/confirm/hasten.h"

/* Confirms s->items; a simpler schedule that fails in the same way takes their place. */
static int make_simpler(const struct run_again *again, uint64_t key, struct model_schedule *s,
		    struct run_result *r, struct err *e)
{
	static const struct run_simplify_opts opts = RUN_SIMPLIFY_DEFAULT;
	struct model_schedule simple = VEC_INIT;
	struct run_simplify_stats stats;
	int rc;

	for (size_t i = 0; i < s->count; i++)
		vec_push(&simple, s->items[i]);
	rc = run_simplify(again, &opts, key, &simple, &stats, e);
	if (rc == 0)
		rc = run_confirm(again, simple.items, simple.count, key, r, e);
	log_info(LOG_RUN, "simplified %llu to %llu segments in %llu attempts: %d",
		 (unsigned long long)stats.segments_before,
		 (unsigned long long)stats.segments_after, (unsigned long long)stats.attempts, rc);
	if (rc == 0) {
		vec_free(s);
		*s = simple;
		return 0;
	}
	vec_free(&simple);
	/* The original is known to fail; the block must hold it again. */
	return run_confirm(again, s->items, s->count, key, r, e);
}

int run_refine(const struct run_again *again, uint64_t key, bool simplify, struct model_schedule *s,
	       struct run_result *r, struct err *e)
{
	int rc = run_confirm(again, s->items, s->count, key, r, e);

	if (rc == 0 && simplify)
		rc = make_simpler(again, key, s, r, e);
	if (rc == 0 && simplify)
		rc = run_hasten(again, key, s, r, e);
	return rc;
}
