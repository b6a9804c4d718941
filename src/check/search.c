#include "check/search.h"


#include "check/confirm.h"
#include "run/watch.h"

#define WARM_UP_RUNS 8

struct search {
	const struct check_opts *o;
	struct check_result *out;
	struct check_source source;
	uint64_t begin_ns;
	bool out_of_time;
	struct check_confirm confirm;
	struct err *e;
};

/* ---- findings ---- */

static int found(void *arg, const struct product_finding *f)
{
	struct search *s = arg;

	return check_found(&s->confirm, f, s->e);
}

static int raced(void *arg, const struct product_race *r)
{
	struct search *s = arg;
	struct check_race race = {.sites = {r->steps[0]->site, r->steps[1]->site},
				  .threads = {r->threads[0], r->threads[1]},
				  .sizes = {r->steps[0]->size, r->steps[1]->size}};
	const struct learn_object *o;

	for (size_t i = 0; i < s->out->races.count; i++)
		if (s->out->races.items[i].sites[0] == race.sites[0] &&
		    s->out->races.items[i].sites[1] == race.sites[1])
			return 0;
	for (int i = 0; i < 2; i++) {
		race.writes[i] = r->steps[i]->op != LEARN_READ &&
				 r->steps[i]->op != LEARN_READ_BYTES;
		race.atomic[i] = (r->steps[i]->flags & LEARN_ATOMIC) != 0;
		if (r->steps[i]->object != LEARN_NONE) {
			o = &s->source.learn.objects.items[r->steps[i]->object];
			race.address = o->address + (r->steps[i]->offset - o->offset);
		}
	}
	for (size_t i = 0; i < r->count; i++)
		vec_push(&race.path, r->path[i]);
	for (int i = 0; i < 2; i++) {
		race.tids[i] = r->tids[i];
		race.tix[i] = r->steps[i]->tix;
		vec_push(&race.path, ((struct wire_choice){CHOICE_UNTIL, 0, r->tids[i],
							   r->steps[i]->tix}));
	}
	vec_push(&s->out->races, race);
	return s->o->stop_on_race;
}

static void fill_stats(struct search *s, const struct product_stats *p)
{
	struct check_stats *to = &s->out->stats;

	to->product = *p;
	to->executions = to->learned = s->source.executions;
	to->diverged = s->source.diverged;
	to->events = s->source.events;
	to->restarts = s->source.restarts;
	to->guest_ns = s->source.guest_ns;
	to->total_ns = run_watch_now() - s->begin_ns;
	to->bytes = s->source.learn.nodes.capacity * sizeof(struct learn_node) +
		    s->source.learn.capacity * sizeof(uint32_t);
}

static int tick(void *arg, const struct product_stats *p)
{
	struct search *s = arg;

	if (s->o->limit_ns && run_watch_now() - s->begin_ns > s->o->limit_ns) {
		s->out_of_time = true;
		return 1;
	}
	fill_stats(s, p);
	return s->o->progress ? s->o->progress(s->o->arg, &s->out->stats) : 0;
}

/* ---- the search ---- */

/* Failures of learning runs, whatever the search makes of them. */
static int confirm_failed(struct search *s, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < s->source.failed.count; i++) {
		const struct check_failed *f = &s->source.failed.items[i];

		rc = check_confirm(&s->confirm, f->path.items, f->path.count, e);
	}
	return rc < 0 ? rc : 0;
}

static int search_until_done(struct search *s, struct product_stats *stats, struct err *e)
{
	struct product_opts po = {.model = s->o->job.model,
				  .loop_bound = s->o->loop_bound,
				  .preemptions = s->o->preemptions,
				  .races = s->o->races,
				  .found = found,
				  .raced = raced,
				  .tick = tick,
				  .arg = s};
	int rc;

	do {
		rc = check_source_renew(&s->source, e);
		if (rc == 0)
			rc = product_search(&s->source.base, &po, stats, e);
	} while (rc == PRODUCT_AGAIN);
	return rc;
}

/* What the model cannot hold is no error of the user's: the search is inconclusive. */
static int explain_end(struct search *s, int rc, const struct product_stats *stats, struct err *e)
{
	struct check_result *out = s->out;

	out->complete = rc == 0 && stats->complete && !out->unconfirmed;
	out->unmodelled = rc == ERR_MISMATCH || rc == ERR_UNSUPPORTED || rc == ERR_LIMIT ||
			  rc == ERR_FORMAT;
	if (out->unmodelled)
		check_say_why(out, "%s", e->text);
	else if (rc < 0)
		return rc;
	if (s->out_of_time)
		check_say_why(out, "the time is over");
	else if (s->source.exhausted)
		check_say_why(out, "the limit of %lu executions is reached",
			(unsigned long)s->o->max_executions);
	else if (stats->limited)
		check_say_why(out, "%lu executions were cut off by a limit on steps or rounds of loops",
			(unsigned long)stats->limited);
	else if (stats->unknown)
		check_say_why(out, "in %lu places a thread did not come to its next step again",
			(unsigned long)stats->unknown);
	else if (s->o->preemptions >= 0)
		check_say_why(out, "only schedules with at most %ld preemptions were looked at",
			(long)s->o->preemptions);
	return 0;
}

int check_search(const struct check_opts *o, struct check_result *out, struct err *e)
{
	struct search s = {.o = o,
			   .out = out,
			   .begin_ns = run_watch_now(),
			   .confirm = {.o = o, .out = out},
			   .e = e};
	struct product_stats stats = {.configs = 0};
	struct check_guests guests = {o->engine, o->guest, o->guest_opts, o->jobs ? o->jobs : 1};
	int rc;

	rc = check_source_init(&s.source, &guests, &o->job, e);
	s.source.max_executions = o->max_executions;
	s.source.stop_early = !o->all;
	s.source.count_visits = o->loop_bound != 0;
	if (rc == 0)
		rc = check_source_warm_up(&s.source, WARM_UP_RUNS, e);
	if (rc == 0)
		rc = search_until_done(&s, &stats, e);
	fill_stats(&s, &stats);
	rc = explain_end(&s, rc, &stats, e);
	if (rc == 0)
		rc = confirm_failed(&s, e);
	out->input = s.source.ingest.input;
	out->stats.total_ns = run_watch_now() - s.begin_ns;
	check_source_fini(&s.source);
	check_confirm_fini(&s.confirm);
	return rc;
}

void check_result_fini(struct check_result *r)
{
	for (size_t i = 0; i < r->findings.count; i++) {
		run_result_free(&r->findings.items[i]->result);
		free(r->findings.items[i]);
	}
	for (size_t i = 0; i < r->races.count; i++)
		vec_free(&r->races.items[i].path);
	vec_free(&r->findings);
	vec_free(&r->races);
}
