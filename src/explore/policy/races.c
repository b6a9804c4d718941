#include "explore/policy/races.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "run/guest/keep.h"

/* Of all recordings together: they stay in memory until the report is written. */
#define EVENTS_KEPT (UINT64_C(4) << 20)
/* What recordings may still take when the limit is reached. */
#define CLOSING_NS UINT64_C(500000000)

struct recorder {
	struct check_race_log *x;
	const struct check_recorder *with;
	struct trace_sites sites; /* of the whole program; empty: not known */
	VEC(uint64_t) keys;	  /* of the pairs of places that were met */
	uint64_t events;
};

/* ---- which are the same ---- */

static uint64_t place_key(const struct recorder *r, uint32_t site)
{
	const struct trace_site *s = trace_sites_find(&r->sites, site);
	uint64_t key = FS_HASH_START;

	if (!s)
		return fs_hash(key, &site, sizeof(site));
	key = fs_hash(key, s->file, strlen(s->file) + 1);
	key = fs_hash(key, &s->line, sizeof(s->line));
	return fs_hash(key, s->name, strlen(s->name));
}

/* The same two lines and variables, whichever thread does which. */
static bool is_new(struct recorder *r, const struct check_race *race)
{
	uint64_t keys[2] = {place_key(r, race->sites[0]), place_key(r, race->sites[1])};
	uint64_t pair[2] = {keys[0] < keys[1] ? keys[0] : keys[1],
			    keys[0] < keys[1] ? keys[1] : keys[0]};
	uint64_t key = fs_hash(FS_HASH_START, pair, sizeof(pair));

	for (size_t i = 0; i < r->keys.count; i++)
		if (r->keys.items[i] == key)
			return false;
	vec_push(&r->keys, key);
	return true;
}

/* The bundle of the first race knows only the sites that its execution came by. */
static void learn_sites(struct recorder *r, const struct run_result *run)
{
	const char *program = r->with->program->path;
	VEC(struct wire_module) modules = VEC_INIT;
	struct err ignored = ERR_INIT;

	if (r->sites.count)
		return;
	for (size_t i = 0; i < run->modules.count; i++) {
		struct wire_module m = run->modules.items[i];

		if (!m.path[0])
			snprintf(m.path, sizeof(m.path), "%s", program);
		vec_push(&modules, m);
	}
	if (trace_sites_from_modules(&r->sites, modules.items, modules.count, &ignored)) {
		trace_sites_fini(&r->sites);
		memset(&r->sites, 0, sizeof(r->sites));
	}
	vec_free(&modules);
}

/* ---- one recording ---- */

static size_t find_event(const struct trace_bundle *b, uint32_t tid, uint32_t tix)
{
	for (size_t i = b->events.count; i-- > 0;)
		if (b->events.items[i].tid == tid && b->events.items[i].tix == tix)
			return i;
	return SIZE_MAX;
}

static int run_race(struct recorder *r, const struct check_race *race, struct run_result *result,
		    struct trace_bundle *bundle, struct err *e)
{
	const struct run_again again = r->with->again;
	struct wire_job job =
		run_again_job(&again.job, JOB_EVENTS | JOB_MARKERS, race->path.count);
	struct run_keep keep = {r->with->program, r->with->version, &again.job, result, NULL};
	int rc = run_last(&again, &job, race->path.items, result, e);

	if (rc == 0 && result->verdict == RUN_STOPPED)
		return ERR_MISMATCH;
	return rc ? rc : run_keep(bundle, again.guest, &keep, e);
}

/* Runs the two accesses together and keeps the run. */
static int record(struct recorder *r, const struct check_race *race, struct err *e)
{
	struct trace_bundle *bundle = xcalloc(1, sizeof(*bundle));
	struct run_result result = RUN_RESULT_INIT;
	struct check_recorded_race row = {.bundle = bundle};
	int rc = run_race(r, race, &result, bundle, e);

	for (int i = 0; rc == 0 && i < 2; i++) {
		row.events[i] = find_event(bundle, race->tids[i], race->tix[i]);
		rc = row.events[i] == SIZE_MAX ? ERR_MISMATCH : 0;
	}
	if (rc == 0)
		rc = r->with->keep(r->with->arg, bundle, &row.dir, e);
	if (rc == 0) {
		learn_sites(r, &result);
		r->events += bundle->events.count;
		vec_push(&r->x->items, row);
	} else {
		trace_bundle_fini(bundle);
		free(bundle);
	}
	run_result_free(&result);
	return rc;
}

static bool is_enough(const struct recorder *r)
{
	struct limit later = limit_after(r->with->limit, CLOSING_NS);

	if (r->x->items.count == 0)
		return false;
	return r->x->items.count >= CHECK_RACES_RECORDED || r->events >= EVENTS_KEPT ||
	       limit_reached(&later) != LIMIT_NONE;
}

int check_races_record(struct check_race_log *x, const struct check_recorder *with,
		     const struct check_race *races, size_t n, struct err *e)
{
	struct recorder r = {.x = x, .with = with};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!is_new(&r, &races[i]))
			continue;
		x->found++;
		if (is_enough(&r))
			continue;
		rc = record(&r, &races[i], e);
		if (x->items.count == 1 && r.keys.count == 1 && r.sites.count) {
			/* Its key was made before the names were known. */
			vec_clear(&r.keys);
			is_new(&r, &races[i]);
		}
		if (rc == ERR_MISMATCH) {
			x->unconfirmed++;
			x->found--;
			rc = 0;
		}
	}
	assert(x->items.count <= CHECK_RACES_RECORDED && x->items.count <= x->found);
	trace_sites_fini(&r.sites);
	vec_free(&r.keys);
	return rc;
}

/* ---- all together ---- */

static void race_fini(struct check_recorded_race *r)
{
	trace_bundle_fini(r->bundle);
	free(r->bundle);
	free(r->dir);
}

void check_races_remove(struct check_race_log *x, size_t at)
{
	assert(at < x->items.count && x->found > 0);
	race_fini(&x->items.items[at]);
	memmove(&x->items.items[at], &x->items.items[at + 1],
		(x->items.count - at - 1) * sizeof(x->items.items[0]));
	x->items.count--;
	x->found--;
}

void check_races_fini(struct check_race_log *x)
{
	for (size_t i = 0; i < x->items.count; i++)
		race_fini(&x->items.items[i]);
	vec_free(&x->items);
}
