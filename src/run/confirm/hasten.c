#include "run/confirm/hasten.h"

#include "base/log.h"
#include "model/delay.h"

#define MAX_ATTEMPTS 400
/* Longer executions are left as they are: writing them down anew so often would take too long. */
#define MAX_EVENTS 100000

/* A store on its way in the schedule that is being written. */
struct waiting {
	const struct wire_event *issue;
	uint32_t epoch;
	bool late; /* stays in the buffer until its old place */
};

struct lane {
	VEC(struct waiting) stores; /* oldest first */
	uint32_t epoch;
};

struct hasten {
	const struct run_again *again;
	uint64_t key;
	struct model_schedule *schedule;
	struct run_result *best;
	struct model_delays delays; /* of best */
	unsigned attempts;
	bool block_is_best; /* the guest's block holds best */
	bool stopped;	    /* the guest's limit is reached */
	bool in_order;	    /* stores do not overtake each other, although PSO lets them */
	struct lane *lanes;
	size_t lane_count;
	struct model_schedule wish;
};

static bool overlap(const struct wire_event *a, const struct wire_event *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* The rule of guest/check/mem/buffer.h; a wish that gets it wrong is only a wish that fails. */
static bool may_commit(const struct hasten *h, const struct lane *l, size_t at)
{
	const struct waiting *w = &l->stores.items[at];

	if (!wire_model_reorders(h->again->job.model) || h->in_order)
		return at == 0;
	if (w->epoch != l->stores.items[0].epoch)
		return false;
	for (size_t i = 0; i < at; i++)
		if (overlap(l->stores.items[i].issue, w->issue))
			return false;
	return true;
}

static void commit(struct hasten *h, struct lane *l, size_t at)
{
	const struct wire_event *issue = l->stores.items[at].issue;
	struct wire_choice c = {CHOICE_COMMIT, 0, issue->tid, issue->tix};

	vec_push(&h->wish, c);
	for (size_t i = at + 1; i < l->stores.count; i++)
		l->stores.items[i - 1] = l->stores.items[i];
	l->stores.count--;
}

/* Everything that need not be late leaves. */
static void commit_prompt(struct hasten *h, struct lane *l)
{
	for (size_t i = 0; i < l->stores.count;) {
		if (!l->stores.items[i].late && may_commit(h, l, i)) {
			commit(h, l, i);
			i = 0;
		} else {
			i++;
		}
	}
}

/* The old place of a late store. */
static void let_go(struct lane *l, const struct wire_event *v)
{
	for (size_t i = 0; i < l->stores.count; i++)
		if (l->stores.items[i].issue->tix == v->tix)
			l->stores.items[i].late = false;
}

static void add_until(struct hasten *h, const struct wire_event *v)
{
	struct wire_choice c = {CHOICE_UNTIL, 0, v->tid, v->tix};
	struct wire_choice *last = h->wish.count ? &vec_last(&h->wish) : NULL;

	if (last && last->kind == CHOICE_UNTIL && last->tid == v->tid)
		*last = c;
	else
		vec_push(&h->wish, c);
}

static bool is_release(const struct hasten *h, const struct wire_event *v)
{
	struct wire_fence f = {v->site, FENCE_RELEASE};
	uint32_t order = v->aux & 7;

	if (v->kind == EVENT_FENCE)
		return order == ORDER_RELEASE || order == ORDER_ACQ_REL;
	return order == ORDER_RELEASE ||
	       model_fences_have(h->again->job.fences, h->again->job.fence_count, &f);
}

/* Under the weak models only sequentially consistent stores write without having been issued. */
static bool is_commit(const struct wire_event *v)
{
	return v->kind == EVENT_WRITE && (v->aux & 7) != ORDER_SEQ_CST;
}

/* The failure follows from what was before it; the others are no operations. */
static bool is_in_log_only(const struct wire_event *v)
{
	return v->kind == EVENT_FAILURE || v->kind == EVENT_DATA || v->kind == EVENT_PENDING ||
	       v->kind == EVENT_STACK;
}

static void write_event(struct hasten *h, const struct wire_event *v, bool late)
{
	struct lane *l = &h->lanes[v->tid];
	struct waiting w = {v, 0, late};

	if (is_in_log_only(v))
		return;
	if (is_commit(v)) {
		let_go(l, v);
	} else {
		if ((v->kind == EVENT_ISSUE || v->kind == EVENT_FENCE) && is_release(h, v))
			l->epoch++;
		add_until(h, v);
		w.epoch = l->epoch;
		if (v->kind == EVENT_ISSUE)
			vec_push(&l->stores, w);
	}
	commit_prompt(h, l);
}

/* Instead of the number of a late store. */
#define ALL_OF_THEM (SIZE_MAX - 1)
#define NONE_OF_THEM (SIZE_MAX - 2)

/* Writes the wish: the late store numbered `prompt' is in time, or all of them, or none. */
static void write_wish(struct hasten *h, size_t prompt)
{
	size_t next = 0;

	vec_clear(&h->wish);
	for (size_t t = 0; t < h->lane_count; t++) {
		vec_clear(&h->lanes[t].stores);
		h->lanes[t].epoch = 0;
	}
	for (size_t i = 0; i < h->best->events.count; i++) {
		bool late = next < h->delays.count && h->delays.items[next].issue == i;

		write_event(h, &h->best->events.items[i],
			    late && prompt != ALL_OF_THEM && next != prompt);
		next += late;
	}
}

static void make_lanes(struct hasten *h)
{
	for (size_t i = 0; i < h->best->events.count; i++)
		if (h->best->events.items[i].tid >= h->lane_count)
			h->lane_count = (size_t)h->best->events.items[i].tid + 1;
	h->lanes = xcalloc(h->lane_count + 1, sizeof(*h->lanes));
}

static void free_lanes(struct hasten *h)
{
	for (size_t t = 0; t < h->lane_count; t++)
		vec_free(&h->lanes[t].stores);
	free(h->lanes);
	h->lanes = NULL;
	h->lane_count = 0;
}

/* Keeps r, whose delays are d, as the best execution; r gets the old one. */
static void keep(struct hasten *h, struct run_result *r, struct model_delays *d)
{
	struct run_result old = *h->best;

	*h->best = *r;
	*r = old;
	vec_free(&h->delays);
	h->delays = *d;
	*d = (struct model_delays)VEC_INIT;
	vec_clear(h->schedule);
	for (size_t i = 0; i < h->best->choices.count; i++)
		vec_push(h->schedule, h->best->choices.items[i]);
	h->block_is_best = true;
}

/* Fewer late stores, or as many that are late for less. */
static bool is_better(const struct model_delays *a, const struct model_delays *b)
{
	if (a->count != b->count)
		return a->count < b->count;
	return model_delays_weight(a) < model_delays_weight(b);
}

/* 1: the failure shows with fewer delays, and that execution is kept.  0: not.  Negative: error. */
static int attempt(struct hasten *h, size_t prompt, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct model_delays d = VEC_INIT;
	int rc, better = 0;

	make_lanes(h);
	write_wish(h, prompt);
	free_lanes(h);
	h->attempts++;
	h->block_is_best = false;
	rc = run_again(h->again, JOB_EVENTS, h->wish.items, h->wish.count, &r, e);
	if (rc == 0 && run_again_same(h->again, &r, h->key) && r.wire.event_lost == 0 &&
	    r.wire.choice_lost == 0) {
		model_delays_find(&d, r.events.items, r.events.count);
		better = is_better(&d, &h->delays);
	}
	log_debug(LOG_RUN, "hasten: store %zu of %zu: %s %s, weight %zu", prompt, h->delays.count,
		  run_verdict_name(r.verdict), r.reason, model_delays_weight(&d));
	h->stopped = r.verdict == RUN_STOPPED;
	if (better)
		keep(h, &r, &d);
	vec_free(&d);
	run_result_free(&r);
	return rc != 0 ? rc : better;
}

static int hasten_one_by_one(struct hasten *h, struct err *e)
{
	int rc = 0;

	/* The last ones first: nothing that went before depends on them. */
	for (size_t at = h->delays.count;
	     rc >= 0 && at > 0 && h->attempts < MAX_ATTEMPTS && !h->stopped;) {
		rc = attempt(h, at - 1, e);
		if (rc > 0)
			at = h->delays.count;
		else
			at--;
	}
	return rc < 0 ? rc : 0;
}

int run_hasten(const struct run_again *a, uint64_t key, struct model_schedule *s,
	       struct run_result *r, struct err *e)
{
	struct hasten h = {.again = a, .key = key, .schedule = s, .best = r, .block_is_best = true};
	int rc = 0;

	if (!wire_model_buffers(a->job.model) || r->events.count > MAX_EVENTS ||
	    r->wire.event_lost > 0)
		return 0;
	model_delays_find(&h.delays, r->events.items, r->events.count);
	if (h.delays.count > 0)
		rc = attempt(&h, ALL_OF_THEM, e);
	if (rc >= 0 && !h.stopped && h.delays.count > 0 && wire_model_reorders(a->job.model)) {
		h.in_order = true;
		rc = attempt(&h, NONE_OF_THEM, e);
		h.in_order = rc > 0;
	}
	if (rc >= 0)
		rc = hasten_one_by_one(&h, e);
	if (rc >= 0 && !h.block_is_best)
		rc = run_confirm(a, s->items, s->count, key, r, e);
	vec_free(&h.delays);
	vec_free(&h.wish);
	return rc;
}
