#include "explore/policy/confirm.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limit.h"
#include "run/confirm/confirm.h"

void check_confirm_fini(struct check_confirm *c)
{
	vec_free(&c->keys);
}

void check_say_why(struct check_result *r, const char *format, ...)
{
	va_list args;

	r->complete = false;
	if (r->reason[0])
		return;
	va_start(args, format);
	vsnprintf(r->reason, sizeof(r->reason), format, args);
	va_end(args);
}

void check_say_unseen(struct check_result *r, const struct run_engine *engine)
{
	char unseen[sizeof(r->reason)];

	if (!run_engine_unseen(engine))
		return;
	run_engine_say_unseen(engine, unseen, sizeof(unseen));
	check_say_why(r, "%s", unseen);
}

void check_look_for_substance(struct check_result *r)
{
	struct product_stats *s = &r->stats.product;

	if (s->states > 0 || r->findings.count > 0)
		return;
	r->cut_short = s->cut_short > 0;
	s->states = s->cut_short;
	if (r->cut_short)
		return;
	if (s->assumed)
		check_say_why(r, "no execution kept to the assumptions");
	else
		check_say_why(r, "no execution came to an end");
}

static struct run_finding *find(struct check_result *r, uint64_t key)
{
	for (size_t i = 0; i < r->findings.count; i++)
		if (r->findings.items[i]->key == key)
			return r->findings.items[i];
	return NULL;
}

static void copy_result(struct run_result *to, const struct run_result *from)
{
	to->verdict = from->verdict;
	to->wire = from->wire;
	memcpy(to->reason, from->reason, sizeof(to->reason));
	for (size_t i = 0; i < from->choices.count; i++)
		vec_push(&to->choices, from->choices.items[i]);
	for (size_t i = 0; i < from->threads.count; i++)
		vec_push(&to->threads, from->threads.items[i]);
	for (size_t i = 0; i < from->modules.count; i++)
		vec_push(&to->modules, from->modules.items[i]);
}

static void keep(struct check_result *out, const struct wire_job *job, const struct run_result *r)
{
	uint64_t key = run_result_key(r);
	struct run_finding *f = find(out, key);

	if (!f) {
		f = xcalloc(1, sizeof(*f));
		f->key = key;
		f->order = out->findings.count;
		f->job = *job;
		f->job.schedule_count = 0;
		f->result = (struct run_result)RUN_RESULT_INIT;
		copy_result(&f->result, r);
		vec_push(&out->findings, f);
	}
	f->count++;
}

int check_confirm(struct check_confirm *c, const struct wire_choice *path, size_t n, struct err *e)
{
	struct run_again again = {.engine = c->o->engine, .guest = c->o->guest};
	struct wire_job job = c->o->job;
	struct run_result r = RUN_RESULT_INIT;
	int rc;

	job.strategy = STRATEGY_REPLAY;
	job.flags |= JOB_STAY;
	job.runs = 1;
	job.schedule_count = n;
	again.job = job;
	rc = run_last(&again, &job, path, &r, e);
	if (rc == 0 && r.verdict == RUN_FAILURE) {
		keep(c->out, &job, &r);
		rc = 1;
	}
	run_result_free(&r);
	return rc;
}

int check_confirm_failed(struct check_confirm *c, const struct check_source *s, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < s->failed.count; i++)
		rc = check_confirm(c, s->failed.items[i].path.items, s->failed.items[i].path.count, e);
	return rc < 0 ? rc : 0;
}

void check_count_source(struct check_stats *to, const struct check_source *s, uint64_t begin_ns)
{
	to->learned = s->executions;
	to->events = s->events;
	to->restarts = s->restarts;
	to->guest_ns = s->guest_ns;
	to->total_ns = limit_now() - begin_ns;
	to->bytes = s->learn.nodes.capacity * sizeof(struct learn_node) +
		    s->learn.capacity * sizeof(uint32_t);
}

static uint64_t key_of(const struct product_finding *f)
{
	uint64_t key = intern_hash(f->event, f->step ? f->step->site : 0);

	if (f->step && f->step->op == LEARN_FAIL)
		return intern_hash(key, f->step->value);
	/* A deadlock: where everybody stands. */
	for (uint32_t t = 0; !f->step && t < f->machine->l->threads.count; t++) {
		const struct learn_step *s = machine_step(f->machine, f->config, t);

		key += s ? intern_hash(s->site, s->op) : 0;
	}
	return key;
}

int check_found(struct check_confirm *c, const struct product_finding *f, struct err *e)
{
	uint64_t key = key_of(f);
	int rc;

	for (size_t i = 0; i < c->keys.count; i++)
		if (c->keys.items[i] == key)
			return 0;
	vec_push(&c->keys, key);
	rc = check_confirm(c, f->path, f->count, e);
	if (rc < 0)
		return 1;
	if (rc == 0) {
		c->out->unconfirmed++;
		/* What heddle does not see explains it, when there is such a thing. */
		check_say_unseen(c->out, c->o->engine);
		check_say_why(c->out,
			      "a failure that follows from what the threads did was not there when "
			      "it was tried");
	}
	return rc > 0 && !c->o->all;
}
