#include "explore/policy/search.h"

#include "base/limit.h"
#include "explore/policy/confirm.h"
#include "trace/elf/sites.h"

#define WARM_UP_RUNS 8

struct search {
	const struct check_opts *o;
	struct check_result *out;
	struct check_source source;
	uint64_t begin_ns;
	enum limit_reason over;
	bool raced;
	bool torn; /* a data race with what is not one access of the processor */
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

	s->torn |= r->tears[0] || r->tears[1];
	s->raced = true;
	if (!s->o->races)
		return 0;
	for (size_t i = 0; i < s->out->races.count; i++)
		if (s->out->races.items[i].sites[0] == race.sites[0] &&
		    s->out->races.items[i].sites[1] == race.sites[1])
			return 0;
	for (int i = 0; i < 2; i++) {
		race.writes[i] = r->writes[i];
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
		if (!r->late[i])
			vec_push(&race.path, ((struct wire_choice){CHOICE_UNTIL, 0, r->tids[i],
								   r->steps[i]->tix}));
	}
	for (int i = 0; i < 2; i++)
		if (r->late[i])
			vec_push(&race.path, ((struct wire_choice){CHOICE_COMMIT, 0, r->tids[i],
								   r->steps[i]->tix}));
	vec_push(&s->out->races, race);
	return s->o->stop_on_race;
}

static void fill_stats(struct search *s, const struct product_stats *p)
{
	struct check_stats *to = &s->out->stats;

	to->product = *p;
	to->executions = s->source.executions;
	to->diverged = s->source.diverged;
	check_count_source(to, &s->source, s->begin_ns);
}

static int tick(void *arg, const struct product_stats *p)
{
	struct search *s = arg;

	s->over = limit_reached(s->o->limit);
	if (s->over != LIMIT_NONE)
		return 1;
	fill_stats(s, p);
	return s->o->progress ? s->o->progress(s->o->arg, &s->out->stats) : 0;
}

/* ---- the search ---- */

static int search_until_done(struct search *s, struct product_stats *stats, struct err *e)
{
	struct product_opts po = {.model = s->o->job.model,
				  .loop_bound = s->o->loop_bound,
				  .spurious = (s->o->job.flags & JOB_SPURIOUS) != 0,
				  .preemptions = s->o->preemptions,
				  .races = s->o->races,
				  .torn = true,
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

/* Places for people. */
static void add_places(struct search *s, const uint32_t sites_at[2], struct strbuf *to)
{
	const struct run_result *r = &s->source.batch.parts.items[0].result;
	struct trace_sites sites = {.count = 0};
	struct err none = ERR_INIT;
	int said = 0;

	if (trace_sites_from_modules(&sites, r->modules.items, r->modules.count, &none) == 0)
		for (int i = 0; i < 2; i++) {
			const struct trace_site *at = trace_sites_find(&sites, sites_at[i]);

			if (!at || (i && sites_at[0] == sites_at[1]))
				continue;
			strbuf_add(to, said++ ? " and " : " (at ");
			trace_site_place(at, true, to);
		}
	if (said)
		strbuf_add(to, ")");
	trace_sites_fini(&sites);
}

static void say_unmodelled(struct search *s, struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text, e->text);
	if (s->source.batch.parts.count)
		add_places(s, s->source.learn.clash, &text);
	check_say_why(s->out, "%s", text.text);
	strbuf_free(&text);
}

/*
 * Under TSO and PSO the guest waits for a thread's stores before library functions and copies of
 * many bytes.  That hides nothing when there is no race and all atomic stores are sequentially
 * consistent, because such a program behaves as under SC.
 */
static bool hides_delays(const struct search *s, const struct product_stats *stats)
{
	return (stats->needless || s->source.ingest.held_up) && (s->raced || stats->weak);
}

static void say_hidden_delays(struct search *s, const struct product_stats *stats)
{
	const uint32_t at = stats->needless ? stats->needless - 1 : s->source.ingest.held_up_site;
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text,
		   "a call of a library function, a copy of many bytes or a full buffer waited "
		   "for late stores that need not have been there yet");
	if (s->source.batch.parts.count)
		add_places(s, (const uint32_t[2]){at, at}, &text);
	check_say_why(s->out, "%s", text.text);
	strbuf_free(&text);
}

/* The program was run up to a place again and again, and the thread never took the step. */
static void say_unknown(struct search *s, const struct product_stats *stats)
{
	const uint32_t at = stats->unknown_site - 1;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "in %lu case%s a thread could take a step",
		    (unsigned long)stats->unknown, stats->unknown == 1 ? "" : "s");
	if (stats->unknown_site && s->source.batch.parts.count)
		add_places(s, (const uint32_t[2]){at, at}, &text);
	strbuf_add(&text,
		   " that it did not take when the program was run up to there; it may depend "
		   "on time, input or addresses, which heddle does not control (--strategy=mix "
		   "draws schedules without that)");
	check_say_why(s->out, "%s", text.text);
	strbuf_free(&text);
}

/* What the model cannot hold is no error of the user's: the search is inconclusive. */
static int explain_end(struct search *s, int rc, const struct product_stats *stats, struct err *e)
{
	struct check_result *out = s->out;
	uint64_t cut = stats->limited;

	/* Who did not come to its next step was stopped before, when anybody was. */
	if (!cut && stats->unknown)
		cut = s->source.cut_off;
	out->complete = rc == 0 && stats->complete && !out->unconfirmed;
	check_say_unseen(out, s->o->engine);
	out->unmodelled =
		rc == ERR_MISMATCH || rc == ERR_UNSUPPORTED || rc == ERR_LIMIT || rc == ERR_FORMAT;
	if (out->unmodelled)
		say_unmodelled(s, e);
	else if (rc < 0)
		return rc;
	if (s->over == LIMIT_NONE)
		s->over = s->source.over;
	/* What goes on beside the search may have been told to stop. */
	if (s->over == LIMIT_NONE && !stats->complete)
		s->over = limit_reached(s->o->limit);
	out->out_of_memory = s->over == LIMIT_MEMORY;
	if (s->over != LIMIT_NONE)
		check_say_why(out, "%s", limit_text(s->over));
	else if (s->source.exhausted)
		check_say_why(out, "the limit of %lu executions is reached",
			      (unsigned long)s->o->max_executions);
	else if (cut)
		check_say_why(out,
			      "%lu execution%s cut off by a limit on steps or rounds of loops (see "
			      "--max-steps and --loop-bound)",
			      (unsigned long)cut, cut == 1 ? " was" : "s were");
	else if (stats->unknown)
		say_unknown(s, stats);
	else if (s->torn)
		check_say_why(out, "there is a data race with a library function, a copy of many "
				   "bytes or an access that is not aligned, and nobody looked at "
				   "it half done");
	else if (hides_delays(s, stats))
		say_hidden_delays(s, stats);
	else if (s->o->preemptions >= 0)
		check_say_why(out, "only schedules with at most %ld preemptions were looked at",
			      (long)s->o->preemptions);
	return 0;
}

/* Who asked for the first failure gets one, though a batch of executions has shown several. */
static void keep_first(struct check_result *r)
{
	while (r->findings.count > 1) {
		struct run_finding *f = vec_pop(&r->findings);

		run_result_free(&f->result);
		free(f);
	}
}

int check_search(const struct check_opts *o, struct check_result *out, struct err *e)
{
	struct search s = {.o = o,
			   .out = out,
			   .begin_ns = limit_now(),
			   .confirm = {.o = o, .out = out},
			   .e = e};
	struct product_stats stats = {.configs = 0};
	struct check_guests guests = {o->engine, o->guest, o->guest_opts, o->jobs ? o->jobs : 1};
	int rc;

	rc = check_source_init(&s.source, &guests, &o->job, e);
	s.source.max_executions = o->max_executions;
	s.source.limit = s.source.ingest.limit = o->limit;
	s.source.stop_early = !o->all;
	s.source.count_visits = o->loop_bound != 0;
	s.source.folds = true;
	if (rc == 0)
		rc = check_source_warm_up(&s.source, WARM_UP_RUNS, e);
	if (rc == 0)
		rc = search_until_done(&s, &stats, e);
	fill_stats(&s, &stats);
	rc = explain_end(&s, rc, &stats, e);
	if (rc == 0)
		rc = check_confirm_failed(&s.confirm, &s.source, e);
	if (!o->all)
		keep_first(out);
	if (rc == 0)
		check_look_for_substance(out);
	out->input = s.source.ingest.input;
	out->may_spur = s.source.ingest.may_spur;
	out->stats.total_ns = limit_now() - s.begin_ns;
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
