#include "hunt/exec.h"

#include <assert.h>
#include <string.h>

#define MAX_FREE_WAYS 20000 /* that follow from what is known, behind those that were told */
#define MAX_PICKS_BACK 64   /* questions at one place follow each other */

struct state {
	const struct hunt_exec_opts *o;
	struct hunt_exec *x;
	VEC(uint32_t) tasks; /* by thread: recorded task */
};

/* ---- threads ---- */

/* The trace knows a thread as soon as it exists. */
static void meet(struct state *s, uint32_t thread)
{
	const struct symex_trace *t = &s->x->trace;

	while (s->x->paths.count <= thread) {
		uint32_t i = (uint32_t)s->x->paths.count, ordinal = 0, task = 0, parent;
		uint64_t key = HUNT_MAIN;

		assert(i < t->threads.count);
		parent = t->threads.items[i].parent;
		if (i > 0) {
			parent = parent < i ? parent : 0;
			for (uint32_t k = 1; k < i; k++)
				ordinal += t->threads.items[k].parent == parent;
			key = hunt_key_child(s->x->paths.items[parent].key, ordinal);
			task = s->tasks.items[parent] == RECORD_NO_THREAD
				       ? RECORD_NO_THREAD
				       : model_path_child(s->o->run->r, s->tasks.items[parent],
							  ordinal);
		}
		vec_push(&s->x->paths, ((struct hunt_path){.key = key}));
		vec_push(&s->tasks, task);
	}
	/* Inputs are asked for by the number of the thread. */
	vec_clear(&s->o->run->tasks);
	for (size_t i = 0; i < s->tasks.count; i++)
		vec_push(&s->o->run->tasks, s->tasks.items[i]);
}

static const struct hunt_path *told(const struct state *s, uint32_t thread)
{
	return s->o->paths ? hunt_paths_find(s->o->paths, s->x->paths.items[thread].key) : NULL;
}

static void go_beyond(struct state *s, uint32_t thread)
{
	if (thread < sizeof(s->x->beyond) / sizeof(s->x->beyond[0]))
		s->x->beyond[thread] = true;
}

/* ---- points ---- */

static uint64_t point_key(const struct symex_question *q)
{
	return (uint64_t)q->unit << 32 | q->point;
}

static void see(struct hunt_program *p, uint64_t point, uint64_t way)
{
	for (size_t i = 0; i < p->seen.count; i++)
		if (p->seen.items[i].point == point) {
			p->seen.items[i].way = way;
			return;
		}
	vec_push(&p->seen, ((struct hunt_seen){point, way}));
}

static uint64_t seen(const struct hunt_program *p, uint64_t point)
{
	for (size_t i = 0; i < p->seen.count; i++)
		if (p->seen.items[i].point == point)
			return p->seen.items[i].way;
	return 0;
}

/* Ways of the point that the thread took since nobody told it any more, one after the other. */
static uint32_t rounds(const struct state *s, const struct symex_question *q, uint64_t way)
{
	const struct hunt_path *p = &s->x->paths.items[q->thread];
	const struct hunt_path *known = told(s, q->thread);
	size_t from = known ? known->ways.count : 0;
	uint32_t n = 0;

	for (size_t i = p->ways.count; i-- > from;)
		if (p->ways.items[i].unit == q->unit && p->ways.items[i].point == q->point &&
		    p->ways.items[i].value == way)
			n++;
	return n;
}

/*
 * Where the thread was sent another way at this very point, in an earlier round, it goes that way
 * again: what makes one round differ is likely to make the next one differ, too.
 */
static bool turned(const struct state *s, const struct symex_question *q, uint64_t *way)
{
	const struct hunt_path *known = told(s, q->thread);
	const struct hunt_way *last = known && known->ways.count ? &vec_last(&known->ways) : NULL;

	if (!last || !last->turned || last->unit != q->unit || last->point != q->point)
		return false;
	*way = last->value;
	return true;
}

/* Nobody says where to go: as it was seen, but not for ever. */
static enum symex_answer go_freely(struct state *s, const struct symex_question *q, uint64_t *out)
{
	uint64_t way = seen(s->o->program, point_key(q));
	uint32_t ways = q->ask == SYMEX_ASK_BRANCH ? 2 : q->successors;

	(void)turned(s, q, &way);
	go_beyond(s, q->thread);
	if (q->ask == SYMEX_ASK_CALL)
		return SYMEX_ANSWER_STOP;
	for (uint32_t i = 0; i < ways; i++) {
		*out = (way + i) % ways;
		if (rounds(s, q, *out) < s->o->max_rounds)
			return SYMEX_ANSWER_IS;
	}
	s->x->loops = true;
	return SYMEX_ANSWER_STOP;
}

static enum symex_answer recorded(struct state *s, const struct symex_question *q, uint64_t *out)
{
	struct symex_source run = follow_source_get(s->o->run);

	if (s->tasks.items[q->thread] == RECORD_NO_THREAD ||
	    s->o->run->marks.items[q->unit] == SYMEX_NONE || !run.wants(run.arg, q->unit, q->point))
		return SYMEX_ANSWER_NONE;
	return run.ask(run.arg, q, out);
}

static enum symex_answer ask_point(struct state *s, const struct symex_question *q, uint64_t *out)
{
	struct hunt_path *mine = &s->x->paths.items[q->thread];
	const struct hunt_path *known = told(s, q->thread);
	size_t at = mine->ways.count;
	enum symex_answer a = SYMEX_ANSWER_NONE;
	struct hunt_way w = {.unit = q->unit,
			     .point = q->point,
			     .expr = q->known ? EXPR_NONE : q->expr,
			     .successors = q->ask == SYMEX_ASK_BRANCH ? 2 : q->successors,
			     .site = q->site,
			     .ask = (uint8_t)q->ask};

	if (!s->o->paths)
		a = recorded(s, q, out);
	if (a == SYMEX_ANSWER_IS)
		see(s->o->program, point_key(q), *out);
	if (a == SYMEX_ANSWER_IS && q->known && *out != q->value)
		return a; /* another program, or another input */
	if (q->known && at > (known ? known->ways.count : 0) + MAX_FREE_WAYS && s->o->paths) {
		/* Nobody knows yet that others write what it waits for, or it is long indeed. */
		s->x->loops = true;
		return SYMEX_ANSWER_STOP;
	}
	if (q->known) {
		*out = q->value;
	} else if (a != SYMEX_ANSWER_IS && known && at < known->ways.count &&
		   known->ways.items[at].unit == q->unit &&
		   known->ways.items[at].point == q->point) {
		*out = known->ways.items[at].value;
	} else if (a != SYMEX_ANSWER_IS) {
		a = go_freely(s, q, out);
		if (a != SYMEX_ANSWER_IS)
			return a;
	}
	w.value = *out;
	w.condition = (uint32_t)s->x->trace.threads.items[q->thread].conditions.count;
	vec_push(&mine->ways, w);
	return q->known ? SYMEX_ANSWER_NONE : SYMEX_ANSWER_IS;
}

/* ---- picks ---- */

static struct hunt_pick *add_pick(struct state *s, const struct symex_question *q)
{
	struct hunt_path *mine = &s->x->paths.items[q->thread];
	struct hunt_pick k = {.tix = q->tix,
			      .site = q->site,
			      .ask = (uint8_t)q->ask,
			      .kind = q->ask == SYMEX_ASK_OUTCOME ? (uint8_t)q->kind : 0,
			      .expr = q->expr,
			      .ways = (uint32_t)mine->ways.count};

	k.condition = (uint32_t)s->x->trace.threads.items[q->thread].conditions.count;
	for (size_t i = mine->picks.count; i-- > 0 && mine->picks.count - i < MAX_PICKS_BACK;) {
		const struct hunt_pick *o = &mine->picks.items[i];

		if (o->tix == k.tix && o->site == k.site && o->ask == k.ask && o->kind == k.kind) {
			k.nth = o->nth + 1;
			break;
		}
	}
	vec_push(&mine->picks, k);
	return &vec_last(&mine->picks);
}

static const struct hunt_pick *told_pick(const struct state *s, uint32_t thread,
					 const struct hunt_pick *k)
{
	const struct hunt_path *known = told(s, thread);
	const struct hunt_pick *found = known ? hunt_path_pick(known, k) : NULL;

	return found && !found->open ? found : NULL;
}

static enum symex_answer ask_address(struct state *s, const struct symex_question *q, uint64_t *out)
{
	struct hunt_pick *k = add_pick(s, q);
	const struct hunt_pick *known = told_pick(s, q->thread, k);

	if (!known) {
		k->open = true;
		return SYMEX_ANSWER_STOP;
	}
	*out = k->value = known->value;
	return SYMEX_ANSWER_IS;
}

static enum symex_answer ask_outcome(struct state *s, const struct symex_question *q, uint64_t *out)
{
	uint64_t outcomes[2];
	const struct hunt_pick *known;
	struct hunt_pick *k;

	if (!follow_outcomes(q->kind, outcomes))
		return SYMEX_ANSWER_NONE;
	k = add_pick(s, q);
	known = told_pick(s, q->thread, k);
	*out = k->value = known ? known->value : outcomes[0];
	return SYMEX_ANSWER_IS;
}

/* ---- the run ---- */

static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	struct state *s = arg;
	struct symex_source run = follow_source_get(s->o->run);

	meet(s, q->thread);
	switch (q->ask) {
	case SYMEX_ASK_BRANCH:
	case SYMEX_ASK_SWITCH:
	case SYMEX_ASK_GOTO:
	case SYMEX_ASK_CALL:
		return ask_point(s, q, out);
	case SYMEX_ASK_ADDRESS:
		return ask_address(s, q, out);
	case SYMEX_ASK_OUTCOME:
		return ask_outcome(s, q, out);
	case SYMEX_ASK_INPUT:
		return run.ask(run.arg, q, out);
	default:
		return SYMEX_ANSWER_NONE;
	}
}

static bool wants(void *arg, uint32_t unit, uint32_t point)
{
	(void)arg;
	(void)unit;
	(void)point;
	return true;
}

static void restart(void *arg)
{
	struct state *s = arg;
	struct symex_source run = follow_source_get(s->o->run);

	hunt_paths_fini(&s->x->paths);
	vec_clear(&s->tasks);
	memset(s->x->beyond, 0, sizeof(s->x->beyond));
	s->x->loops = false;
	run.restart(run.arg);
}

struct words {
	VEC_FIELDS(char *);
};

static struct words ended(char **items, size_t n)
{
	struct words w = VEC_INIT;

	for (size_t i = 0; i < n; i++)
		vec_push(&w, items[i]);
	vec_push(&w, NULL);
	return w;
}

int hunt_execute(const struct hunt_exec_opts *o, struct hunt_exec *out, struct err *e)
{
	const struct trace_meta *m = &o->run->r->meta;
	struct words argv = ended(m->argv.items, m->argv.count);
	struct words envp = ended(m->environ.items, m->environ.count);
	struct state s = {.o = o, .x = out};
	struct symex_options so = {.source = {&s, ask, wants, restart},
				   .argv = argv.items,
				   .envp = envp.items,
				   .max_instructions = o->max_instructions,
				   .limit = o->limit,
				   .known = o->program->known,
				   .max_threads = 64};
	int rc;

	*out = (struct hunt_exec){.loops = false};
	restart(&s);
	rc = symex_run(o->program->p, &so, &out->trace, e);
	if (rc == 0 && out->trace.threads.count)
		meet(&s, (uint32_t)out->trace.threads.count - 1);
	vec_free(&s.tasks);
	vec_free(&argv);
	vec_free(&envp);
	if (rc != 0)
		hunt_paths_fini(&out->paths);
	return rc;
}

void hunt_exec_fini(struct hunt_exec *x)
{
	symex_trace_fini(&x->trace);
	hunt_paths_fini(&x->paths);
}
