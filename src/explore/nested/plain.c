/* Failures that are run again, and the runs before any search: one schedule, several times. */
#include "explore/nested/nested_priv.h"

#include <stdlib.h>
#include <string.h>

#include "explore/nested/loose.h"
#include "stable/atomics.h"
#include "stable/text.h"

#define DELAY_US "100"	   /* most of a delay before an operation, in all of them but the first */
#define DELAYED_MOST 20000 /* operations of a program that is still delayed */
#define AGAIN 3		   /* times that a failure is run again */

void nested_give_reason(struct nested_result *r, const char *text)
{
	r->complete = false;
	if (r->reason.length && strstr(r->reason.text, text))
		return;
	if (r->reason.length)
		strbuf_add(&r->reason, "; ");
	strbuf_add(&r->reason, text);
}

void nested_give_reasons(struct nested_result *r, struct strbuf *text)
{
	if (text->length)
		nested_give_reason(r, text->text);
	strbuf_free(text);
}

struct follower {
	const struct nested_finding *f;
	size_t at;
};

static int follow(void *arg, const struct reduce_offer *offers, size_t n, uint32_t *thread)
{
	struct follower *w = arg;

	if (w->at >= w->f->choices.count)
		return 1;
	*thread = w->f->choices.items[w->at++];
	for (size_t i = 0; i < n; i++)
		if (offers[i].op.thread == *thread && offers[i].enabled)
			return 0;
	return 1;
}

int nested_again(struct nested_program *p, const struct nested_finding *f, bool *same,
		 struct nested_run *run, struct err *e)
{
	struct follower w = {.f = f};
	struct nested_failure failure;
	int rc = nested_execute(p, f->decided ? follow : NULL, &w, run, e);

	if (rc)
		return rc;
	nested_failure_of(p, run, &failure);
	*same = failure.kind && strcmp(failure.kind, f->failure.kind) == 0 &&
		failure.code == f->failure.code && failure.line == f->failure.line;
	nested_failure_fini(&failure);
	return 0;
}

bool nested_is_known(const struct nested_result *r, const struct nested_failure *f)
{
	for (size_t i = 0; i < r->findings.count; i++)
		if (r->findings.items[i].failure.key == f->key)
			return true;
	return false;
}

int nested_note_failure(struct nested_program *p, struct nested_result *r,
			const struct nested_run *run, bool decided, struct err *e)
{
	struct nested_finding f = {.decided = decided};
	int rc = 0;

	nested_failure_of(p, run, &f.failure);
	if (!f.failure.kind || nested_is_known(r, &f.failure)) {
		nested_failure_fini(&f.failure);
		return 0;
	}
	for (size_t i = 0; decided && i < run->choices.count; i++)
		vec_push(&f.choices, run->choices.items[i]);
	for (; rc == 0 && f.tried < AGAIN && limit_reached(p->limit) == LIMIT_NONE; f.tried++) {
		struct nested_run again = {.status = 0};
		bool same = false;

		rc = nested_again(p, &f, &same, &again, e);
		f.again += same;
		nested_run_fini(&again);
	}
	vec_push(&r->findings, f);
	return rc;
}

/* ---- one schedule ---- */

/*
 * What is left open: sections, and threads that were there when the process ended.  How far those
 * came is no schedule's, and they may not have come to their sections.
 */
#define OPEN (STABLE_FLAG_PCS | STABLE_FLAG_LIVE_AT_EXIT)

struct plain {
	bool known;
	int status;
	uint64_t hash, output;
};

static void compare(struct nested_result *r, struct plain *first, const struct nested_run *run)
{
	uint64_t hash = stable_text_whole_hash(run->launch.ctl);

	if (!first->known) {
		*first = (struct plain){true, run->status, hash, run->output_hash};
		r->hash = hash;
		return;
	}
	if (hash != first->hash)
		nested_give_reason(
			r, "the schedule was not the same in all runs: something outside of the "
			   "program decides (see heddle stable --replay-check)");
	else if (run->status != first->status)
		nested_give_reason(
			r, "the program ended in different ways under one schedule: something "
			   "that is not synchronised decides");
	else if (run->output_hash != first->output)
		nested_give_reason(
			r, "the output was not the same in all runs of one schedule: something "
			   "that is not synchronised, or the time, decides");
}

/* Looks at a run that no choice was made in. */
static int look_at_plain(struct nested_program *p, struct nested_result *r, struct plain *first,
			 const struct nested_run *run, struct err *e)
{
	struct strbuf why = STRBUF_INIT;

	if (!(run->launch.ctl->flags & STABLE_FLAG_STARTED))
		return err_set(e, ERR_GUEST, "%s ran without the runtime of heddle stable",
			       p->path);
	r->operations = run->launch.ctl->operations;
	if (run->end == NESTED_CUT || run->end == NESTED_HUNG) {
		strbuf_addf(&why, "a run did not end: %s",
			    run->end == NESTED_HUNG ? "no progress for the hang limit"
						    : limit_text(limit_reached(p->limit)));
		nested_give_reasons(r, &why);
		return 0;
	}
	stable_atomics_note(run->launch.ctl);
	nested_loose_of(run, (run->launch.ctl->flags & STABLE_FLAG_PCS) != 0, &why);
	nested_give_reasons(r, &why);
	if (!r->sections)
		compare(r, first, run);
	return nested_note_failure(p, r, run, false, e);
}

int nested_run_plain(struct nested_program *p, struct nested_result *r, unsigned runs,
		     struct err *e)
{
	struct plain first = {.known = false};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < runs; i++) {
		struct nested_run run = {.status = 0};

		if (i > 0 && limit_reached(p->limit) != LIMIT_NONE) {
			nested_give_reason(r, limit_text(limit_reached(p->limit)));
			break;
		}
		if (i > 0 && r->operations < DELAYED_MOST)
			setenv("HEDDLE_STABLE_DELAY", DELAY_US, 1);
		rc = nested_execute(p, NULL, NULL, &run, e);
		unsetenv("HEDDLE_STABLE_DELAY");
		r->executions++;
		if (rc == 0) {
			r->sections |= (run.launch.ctl->flags & OPEN) != 0;
			rc = look_at_plain(p, r, &first, &run, e);
			r->odd_status += run.end == NESTED_ENDED && run.status != 0;
		}
		nested_run_fini(&run);
		if (r->sections || (r->reason.length && !first.known))
			break;
	}
	r->schedules = r->orders = r->distinct = 1;
	r->weighted = r->knuth = r->knuth_low = r->knuth_high = 0;
	return rc;
}
