#include "hunt/search.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/lookup.h"
#include "base/strbuf.h"
#include "hunt/okay.h"
#include "hunt/search_priv.h"
#include "trace/elf/elf_sites.h"

#define MAX_QUEUE_BYTES (UINT64_C(1) << 30)

/* ---- sets of numbers ---- */

struct numbers {
	VEC_FIELDS(uint64_t);
};

static size_t place_in(const struct numbers *n, uint64_t x)
{
	size_t low = 0, high = n->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (n->items[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* False when it was there. */
static bool add_number(struct numbers *n, uint64_t x)
{
	size_t at = place_in(n, x);

	if (at < n->count && n->items[at] == x)
		return false;
	vec_push(n, x);
	memmove(&n->items[at + 1], &n->items[at], (n->count - 1 - at) * sizeof(x));
	n->items[at] = x;
	return true;
}

static bool has_number(const struct numbers *n, uint64_t x)
{
	size_t at = place_in(n, x);

	return at < n->count && n->items[at] == x;
}

#define SET(field) ((struct numbers *)(void *)&(field))

/* False when the combination was executed before. */
static bool add_done(struct hunt_search *s, const struct hunt_key *key)
{
	size_t low = 0, high = s->done.count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = memcmp(&s->done.items[middle], key, sizeof(*key));

		if (order == 0)
			return false;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	vec_push(&s->done, *key);
	memmove(&s->done.items[low + 1], &s->done.items[low],
		(s->done.count - 1 - low) * sizeof(*key));
	s->done.items[low] = *key;
	return true;
}

/* ---- the queue ---- */

void hunt_push(struct hunt_search *s, const struct hunt_node *from, struct hunt_paths *paths,
	       uint32_t flips, uint32_t distance)
{
	struct hunt_node n = {.paths = *paths,
			      .run = from->run,
			      .flips = flips,
			      .distance = distance,
			      .number = s->number++};

	n.bytes = hunt_paths_bytes(paths);
	if (s->queue_bytes + n.bytes > MAX_QUEUE_BYTES) {
		hunt_paths_fini(paths);
		s->cut = true;
		return;
	}
	s->queue_bytes += n.bytes;
	vec_push(&s->queue, n);
}

static bool comes_before(const struct hunt_node *a, const struct hunt_node *b)
{
	if (a->flips != b->flips)
		return a->flips < b->flips;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->number < b->number;
}

static struct hunt_node pop(struct hunt_search *s)
{
	size_t best = 0;
	struct hunt_node n;

	assert(s->queue.count);
	for (size_t i = 1; i < s->queue.count; i++)
		if (comes_before(&s->queue.items[i], &s->queue.items[best]))
			best = i;
	n = s->queue.items[best];
	s->queue.items[best] = vec_last(&s->queue);
	s->queue.count--;
	s->queue_bytes -= n.bytes;
	return n;
}

/* ---- one combination ---- */

/* Can the thread get to the end of what was executed of it? */
static enum solve_answer reach_end(struct hunt_visit *v, uint32_t t, struct hunt_reply *r)
{
	const struct symex_thread *th = &v->x.trace.threads.items[t];
	struct hunt_question q = {.thread = t,
				  .conditions = (uint32_t)th->conditions.count,
				  .events = (uint32_t)th->events.count};

	hunt_search_ask(v->s, &v->x, &q, r);
	return r->answer;
}

static void judge_failed(struct hunt_visit *v, uint32_t t)
{
	const struct symex_thread *th = &v->x.trace.threads.items[t];
	struct hunt_assertion a = {th->site, v->x.paths.items[t].key, UINT64_MAX,
				   (uint64_t)th->failure};
	struct hunt_reply r;

	if (hunt_is_found(v->s, th->site) || hunt_is_proved(v, &a))
		return;
	switch (reach_end(v, t, &r)) {
	case SOLVE_SAT:
		hunt_candidate(v, th->site, th->reason, &r);
		break;
	case SOLVE_UNSAT:
		hunt_prove(v, &a);
		break;
	default:
		hunt_undecided(v->s, th->site, r.reason);
	}
	hunt_reply_fini(&r);
}

/* The executor knows no further: that matters only when the thread can get there. */
static void judge_unknown(struct hunt_visit *v, uint32_t t)
{
	const struct symex_thread *th = &v->x.trace.threads.items[t];
	const struct hunt_path *p = &v->x.paths.items[t];
	struct hunt_reply r;

	/* It waits for an address, which is looked for. */
	if (p->picks.count && vec_last(&p->picks).open)
		return;
	if (reach_end(v, t, &r) != SOLVE_UNSAT)
		hunt_undecided(v->s, th->site,
			       v->x.loops ? "a loop that goes round as often as others let it"
					  : th->reason);
	hunt_reply_fini(&r);
}

static void judge_blocked(struct hunt_visit *v, uint32_t t)
{
	const struct symex_thread *th = &v->x.trace.threads.items[t];
	struct hunt_reply r;

	if (strstr(th->reason, "waits for a thread") || hunt_is_found(v->s, th->site))
		return;
	switch (reach_end(v, t, &r)) {
	case SOLVE_SAT:
		hunt_candidate(v, th->site, th->reason, &r);
		break;
	case SOLVE_UNKNOWN:
		hunt_undecided(v->s, th->site, r.reason);
		break;
	default:
		break;
	}
	hunt_reply_fini(&r);
}

static void judge_ends(struct hunt_visit *v)
{
	for (uint32_t t = 0; t < v->x.trace.threads.count; t++) {
		switch (v->x.trace.threads.items[t].end) {
		case SYMEX_END_FAILED:
			judge_failed(v, t);
			break;
		case SYMEX_END_BLOCKED:
			judge_blocked(v, t);
			break;
		case SYMEX_END_RETURNED:
		case SYMEX_END_EXIT:
			break;
		default:
			judge_unknown(v, t);
		}
	}
}

static void count(struct hunt_visit *v)
{
	struct hunt_search *s = v->s;
	bool fresh = false;

	s->counts.combinations++;
	for (size_t i = 0; i < v->x.paths.count; i++) {
		uint64_t hash =
			hunt_path_hash(&v->x.paths.items[i], v->x.paths.items[i].ways.count);

		fresh |= !has_number(SET(s->observed), hash);
		if (v->node->observed || v->node->flips)
			add_number(SET(s->observed), hash);
	}
	if (v->node->observed || !v->node->flips)
		return;
	s->counts.tries++;
	s->counts.synthesised += fresh;
	s->counts.flips = v->node->flips > s->counts.flips ? v->node->flips : s->counts.flips;
}

/* The ways of a thread that depend on shared memory, as bits. */
static void add_bits(const struct hunt_path *p, struct strbuf *to)
{
	for (size_t i = 0; i < p->ways.count; i++)
		if (p->ways.items[i].expr)
			strbuf_addf(to, "%" PRIu64, p->ways.items[i].value);
}

/* Whether some schedule takes these paths to their ends. */
static const char *feasible(const struct hunt_visit *v)
{
	struct hunt_target nowhere = {0, 0, EXPR_NONE};
	struct limit limit = limit_within(&v->s->limit, HUNT_QUESTION_NS);

	switch (hunt_okay(&v->x, &nowhere, &limit, NULL)) {
	case SOLVE_SAT:
		return "passes";
	case SOLVE_UNSAT:
		return "infeasible";
	default:
		return "safe";
	}
}

static void say_tried(const struct hunt_visit *v, size_t found, uint64_t undecided)
{
	struct strbuf text = STRBUF_INIT;

	if (!v->s->o.tried)
		return;
	strbuf_addf(&text, "%s\t%s\t",
		    v->node->what ? v->node->what : (v->node->observed ? "\tobserved" : "\t"),
		    v->s->found.count > found		 ? "fails"
		    : v->s->counts.undecided > undecided ? "undecided"
							 : feasible(v));
	for (size_t t = 0; t < v->x.paths.count; t++) {
		strbuf_addf(&text, "%sT%zu:", t ? " " : "", t);
		add_bits(&v->x.paths.items[t], &text);
	}
	v->s->o.tried(v->s->o.arg, text.text);
	strbuf_free(&text);
}

bool hunt_visit_node(struct hunt_search *s, const struct hunt_node *node, struct hunt_exec *keep)
{
	struct hunt_visit v = {.s = s, .node = node};
	struct hunt_exec_opts o = {.program = &s->program,
				   .run = &s->runs.items[node->run]->source,
				   .paths = node->observed ? NULL : &node->paths,
				   .max_rounds = HUNT_ROUNDS,
				   .max_instructions = HUNT_INSTRUCTIONS,
				   .limit = &s->limit};
	uint64_t begin = limit_now();
	struct err e = ERR_INIT;
	int rc = hunt_execute(&o, &v.x, &e);
	bool fresh;

	s->counts.execute_ns += limit_now() - begin;
	if (rc != 0) {
		hunt_undecided(s, SYMEX_NONE, e.text);
		return false;
	}
	hunt_paths_key(&v.x.paths, &v.key);
	fresh = add_done(s, &v.key);
	if (fresh) {
		size_t found = s->found.count;
		uint64_t undecided = s->counts.undecided;

		count(&v);
		hunt_blocking_add(&s->blocking, &v.x.trace);
		for (size_t i = 0; i < v.x.trace.notes.count; i++)
			hunt_undecided(s, v.x.trace.notes.items[i].site,
				       v.x.trace.notes.items[i].name);
		judge_ends(&v);
		if (s->o.published)
			hunt_ask_assertions(&v);
		else
			hunt_flip_all(&v);
		say_tried(&v, found, undecided);
	}
	if (keep && fresh)
		*keep = v.x;
	else
		hunt_exec_fini(&v.x);
	return fresh;
}

/* ---- the search ---- */

int hunt_search_new(const struct hunt_search_opts *o, struct hunt_search **out, struct err *e)
{
	struct hunt_search *s = xcalloc(1, sizeof(*s));
	int rc;

	assert(o->limit && o->confirm);
	s->o = *o;
	s->limit = *o->limit;
	s->begin_ns = limit_now();
	rc = symex_program_load(o->program, &s->program.p, e);
	if (rc == 0)
		rc = trace_elf_sites_add(&s->sites, o->program, 0, e);
	if (o->published)
		s->program.known = symex_sharing_new();
	if (rc != 0) {
		hunt_search_free(s);
		s = NULL;
	}
	*out = s;
	return rc;
}

void hunt_search_free(struct hunt_search *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->runs.count; i++) {
		follow_source_fini(&s->runs.items[i]->source);
		free(s->runs.items[i]);
	}
	for (size_t i = 0; i < s->queue.count; i++)
		hunt_paths_fini(&s->queue.items[i].paths);
	vec_free(&s->runs);
	vec_free(&s->queue);
	vec_free(&s->done);
	vec_free(&s->observed);
	vec_free(&s->points);
	vec_free(&s->tried);
	vec_free(&s->found);
	vec_free(&s->asserted);
	vec_free(&s->program.seen);
	hunt_blocking_fini(&s->blocking);
	trace_sites_fini(&s->sites);
	symex_sharing_free(s->program.known);
	symex_program_free(s->program.p);
	free(s);
}

int hunt_search_add(struct hunt_search *s, const struct trace_recording *r, struct err *e)
{
	struct hunt_run *run = xcalloc(1, sizeof(*run));
	struct hunt_paths none = VEC_INIT;
	struct hunt_node from = {.run = (uint32_t)s->runs.count};
	int rc = follow_source_init(&run->source, r, s->program.p, e);

	if (rc != 0) {
		follow_source_fini(&run->source);
		free(run);
		return rc;
	}
	vec_push(&s->runs, run);
	hunt_push(s, &from, &none, 0, 0);
	vec_last(&s->queue).observed = true;
	s->counts.runs++;
	return 0;
}

void hunt_search_drain(struct hunt_search *s)
{
	while (s->queue.count && limit_reached(&s->limit) == LIMIT_NONE) {
		struct hunt_node n = pop(s);

		(void)hunt_visit_node(s, &n, NULL);
		hunt_paths_fini(&n.paths);
	}
}

void hunt_search_run(struct hunt_search *s, struct hunt_counts *out)
{
	if (s->o.published)
		hunt_published(s);
	else
		hunt_search_drain(s);
	s->counts.complete = !s->queue.count && !s->cut && s->counts.combinations &&
			     limit_reached(&s->limit) == LIMIT_NONE;
	s->counts.blocking = hunt_blocking_may(&s->blocking);
	s->counts.reuse = s->blocking.reuse;
	s->counts.outside = s->blocking.outside;
	*out = s->counts;
}
