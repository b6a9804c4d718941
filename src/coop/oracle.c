#include "coop/oracle.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

int coop_oracle_init(struct coop_oracle *o, struct run_engine *engine, struct run_guest *first,
		     const struct run_guest_opts *opts, struct err *e)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	memset(o, 0, sizeof(*o));
	o->engine = engine;
	o->guests = cores < 1 ? 1 : cores > COOP_AT_A_TIME ? COOP_AT_A_TIME : (unsigned)cores;
	for (unsigned i = 0; i < COOP_AT_A_TIME; i++)
		o->attempts[i].result = (struct run_result)RUN_RESULT_INIT;
	return run_fleet_init(&o->fleet, first, opts, o->guests, e);
}

void coop_oracle_fini(struct coop_oracle *o)
{
	run_fleet_fini(&o->fleet);
	for (unsigned i = 0; i < COOP_AT_A_TIME; i++) {
		coop_turns_fini(&o->attempts[i].block);
		run_result_free(&o->attempts[i].result);
	}
}

void coop_oracle_add(struct coop_oracle *o, const struct coop_elements *x, const struct coop_set *s,
		     const struct coop_candidate *c, const struct wire_job *job)
{
	struct coop_attempt *a = &o->attempts[o->count];

	assert(o->count < COOP_AT_A_TIME);
	coop_turns_fini(&a->block);
	memset(&a->block, 0, sizeof(a->block));
	coop_turns_make(x, s, c, &a->block);
	a->job = *job;
	a->job.strategy = STRATEGY_TURNS;
	a->job.runs = 1;
	a->rc = 0;
	assert(a->block.bytes.length > 0);
	o->count++;
}

static void carry_out(struct coop_oracle *o, struct run_guest *guest, struct coop_attempt *a)
{
	const struct run_ctl *c = run_guest_ctl(guest);
	uint32_t engine;

	if (a->block.bytes.length > c->scratch.bytes) {
		a->rc = err_set(&a->e, ERR_LIMIT, "the orders are too long: %zu bytes of %llu",
				a->block.bytes.length, (unsigned long long)c->scratch.bytes);
		return;
	}
	/* An engine that cannot host the program may have begun to write: once more with the next.
	 */
	do {
		engine = run_engine_now(o->engine);
		memcpy((char *)c->block + c->scratch.offset, a->block.bytes.text,
		       a->block.bytes.length);
		a->rc = run_engine_job(o->engine, guest, &a->job, NULL, &a->result, &a->e);
	} while (a->rc == 0 && engine != run_engine_now(o->engine));
}

/* Every guest takes each so-many-th attempt. */
static void work(void *arg, unsigned number, struct run_guest *guest)
{
	struct coop_oracle *o = arg;

	for (size_t i = number; i < o->count; i += o->guests)
		carry_out(o, guest, &o->attempts[i]);
}

int coop_oracle_run(struct coop_oracle *o, struct err *e)
{
	unsigned busy = o->count < o->guests ? (unsigned)o->count : o->guests;

	assert(busy <= o->guests && o->count <= COOP_AT_A_TIME);
	run_fleet_work(&o->fleet, busy, work, o);
	for (size_t i = 0; i < o->count; i++)
		if (o->attempts[i].rc) {
			*e = o->attempts[i].e;
			return e->code;
		}
	return 0;
}

bool coop_oracle_clash(const struct coop_attempt *a, uint32_t *element, uint32_t *other)
{
	uint64_t at = a->result.wire.diverged_at;
	uint32_t x = (uint32_t)at, y = (uint32_t)(at >> 32);

	if (a->result.verdict != RUN_DIVERGED || x >= a->block.elements.count ||
	    y >= a->block.elements.count)
		return false;
	*element = a->block.elements.items[x];
	*other = a->block.elements.items[y];
	return true;
}
