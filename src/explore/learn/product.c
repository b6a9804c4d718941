#include "explore/learn/product_priv.h"

#include <assert.h>

#define BATCH 64 /* questions put to the program at once */
/* Up to so many, a pass that relied on too little begins anew at once. */
#define EARLY_CONFIGS 4096
#define TICK_STEPS 0x3ff /* a step of many threads takes long */
#define TICK_BYTES (16 << 20) /* and one over many cells leaves a large configuration */

/*
 * The others go on while t never does what would end the execution.  f is how `before' was
 * reached.
 */
static void bar(struct product *p, const machine_config *before, uint32_t t,
		const struct product_frame *f)
{
	machine_config *c = product_copy_config(p, before);
	uint32_t first = (uint32_t)p->actions.count;
	struct product_frame from = {.last = LEARN_NONE, .share = f->share};
	uint64_t hash[2];

	product_cut_path(p, f);
	machine_thread(&p->m, c, t)->state = MACHINE_BARRED;
	machine_hash(&p->m, c, hash);
	if (seen_add(&p->configs, hash)) {
		choose_actions(&p->m, c, t, &p->actions);
		if (p->actions.count > first)
			product_push_frame(p, c, &from, first);
	}
	vec_push(&p->spare, c);
}

/* Actions under a preemption bound: leaving a thread that could go on costs one. */
static void choose_bounded(struct product *p, machine_config *c, const struct product_frame *f)
{
	struct machine_action stay = {.kind = MACHINE_RUN, .thread = (uint16_t)f->last};
	bool could = f->last != LEARN_NONE && machine_can(&p->m, c, &stay);
	size_t first = p->actions.count, kept = first;

	choose_all(&p->m, c, &p->actions);
	for (size_t i = first; i < p->actions.count; i++) {
		struct machine_action a = p->actions.items[i];

		if (could && a.kind != MACHINE_FLUSH && a.thread != f->last &&
		    f->spent >= (uint64_t)p->o->preemptions)
			continue;
		p->actions.items[kept++] = a;
	}
	assert(kept <= p->actions.count);
	p->actions.count = kept;
}

static void note_switch(struct product *p, machine_config *c, const struct machine_action *a,
			struct product_frame *f)
{
	struct machine_action stay = {.kind = MACHINE_RUN, .thread = (uint16_t)f->last};

	if (a->kind == MACHINE_FLUSH)
		return;
	if (f->last != LEARN_NONE && f->last != a->thread && machine_can(&p->m, c, &stay))
		f->spent++;
	f->last = a->thread;
}

static bool is_new(struct product *p, machine_config *c, const struct product_frame *f)
{
	uint64_t hash[2];

	machine_hash(&p->m, c, hash);
	if (p->o->preemptions >= 0) {
		hash[0] = intern_hash(hash[0], f->last);
		hash[1] = intern_hash(hash[1], f->spent);
	}
	if (!seen_add(&p->configs, hash))
		return false;
	p->stats->configs++;
	return true;
}

static void tick(struct product *p)
{
	p->untold += p->m.bytes;
	if ((++p->stats->steps & TICK_STEPS) == 0 || p->untold > TICK_BYTES) {
		p->untold = 0;
		p->stats->threads = p->m.l->threads.count;
		p->stats->frontier = p->stack.count + p->waiting.count + p->resumed.count;
		p->stats->expected = estimate_total(&p->estimate, (double)p->stats->configs);
		if (p->o->tick && p->o->tick(p->o->arg, p->stats))
			p->over = true;
	}
	if (p->o->max_configs && p->stats->configs >= p->o->max_configs)
		p->over = true;
}

/* What became of an action; true when c can go on from there. */
static bool judge(struct product *p, enum machine_result r, const machine_config *before,
		  machine_config *c, const struct machine_action *a, const struct product_frame *f)
{
	uint32_t t = a->thread;

	switch (r) {
	case MACHINE_DONE:
		return true;
	case MACHINE_EXITED:
		product_look_at_exit(p, c);
		return false;
	case MACHINE_FAILED:
		product_count_state(p, c);
		product_report(p, PRODUCT_FAILURE, t, machine_step(&p->m, c, t), c);
		bar(p, before, a->thread, f);
		return false;
	case MACHINE_MISUSE:
		product_count_state(p, c);
		product_report(p, PRODUCT_MISUSE, t, machine_step(&p->m, c, t), c);
		bar(p, before, a->thread, f);
		return false;
	default:
		return false;
	}
}

static bool only_for_nothing(const struct product *p, uint32_t first)
{
	for (size_t i = first; i < p->actions.count; i++)
		if (p->actions.items[i].kind != MACHINE_SPURIOUS)
			return false;
	return p->actions.count > first;
}

/*
 * A store must reach memory before its thread goes on, though the thread waits for nothing that the
 * program does: what could happen with the store still under way is not looked at.
 */
static void note_delays(struct product *p, machine_config *c, const struct machine_action *a)
{
	const struct learn_step *s = machine_step(&p->m, c, a->thread);
	bool buffered = s && s->op == LEARN_WRITE && !(s->flags & LEARN_THROUGH);

	if (!s || !wire_model_buffers(p->m.model))
		return;
	if (a->kind == MACHINE_RUN)
		p->stats->weak |= buffered && (s->flags & LEARN_ATOMIC);
	else if (a->kind == MACHINE_FLUSH &&
		 (s->needless ||
		  (buffered && machine_buffer(&p->m, c, a->thread)->count == MACHINE_STORES)))
		p->stats->needless = s->site + 1;
}

/* Somebody looked too soon: see learn_fold(). */
static bool is_vain(const struct product *p, machine_config *c)
{
	for (uint32_t t = 0; p->m.l->folded && t < p->m.l->threads.count; t++)
		if (machine_turns_back(&p->m, c, t))
			return true;
	return false;
}

/* Leaves in p->actions, from `first' on, what is to be tried in c; false when the path ends there.
 */
static bool choose(struct product *p, machine_config *c, uint32_t thread,
		   const struct product_frame *f, uint32_t first)
{
	assert(first == p->actions.count);
	if (p->o->preemptions >= 0)
		choose_bounded(p, c, f);
	else
		choose_actions(&p->m, c, thread, &p->actions);
	/* A wake-up for no reason may come, but nobody may count on it. */
	if (only_for_nothing(p, first) && machine_stuck(&p->m, c))
		p->actions.count = first;
	if (p->actions.count > first)
		return true;
	product_look_at_end(p, c);
	return false;
}

/*
 * The action was chosen before it was learned that it is to wait: what is to be tried in c was
 * chosen with too little in mind.
 */
static void choose_again(struct product *p, machine_config *c, uint32_t thread,
			 const struct product_frame *f)
{
	uint32_t first = (uint32_t)p->actions.count;

	if (choose(p, c, thread, f, first))
		product_push_frame(p, c, f, first);
	else
		estimate_end(&p->estimate, f->share);
}

/*
 * Performs the action in c and then everything that leaves no choice; where there is one, c
 * becomes a frame.  f says how c was reached.
 */
static void go_on(struct product *p, machine_config *c, struct machine_action a,
		  struct product_frame f)
{
	machine_config *before;
	bool over = true; /* the path ends here */

	if (!machine_can(&p->m, c, &a)) {
		choose_again(p, c, a.thread, &f);
		return;
	}
	before = product_new_config(p);
	while (!p->over) {
		uint32_t first = (uint32_t)p->actions.count;
		enum machine_result r;

		memcpy(before, c, p->m.bytes);
		f.path = p->path.count;
		f.end = f.path ? vec_last(&p->path) : (struct wire_choice){0};
		if (p->o->preemptions >= 0)
			note_switch(p, c, &a, &f);
		product_extend_path(p, c, &a);
		note_delays(p, c, &a);
		r = machine_do(&p->m, c, &a);
		tick(p);
		if (r == MACHINE_UNKNOWN) {
			product_park(p, before, &a, &f);
			over = false;
			break;
		}
		f.tries = 0;
		if (!judge(p, r, before, c, &a, &f) || is_vain(p, c))
			break;
		if (p->o->max_depth && p->path.count >= p->o->max_depth) {
			p->stats->limited++;
			break;
		}
		if (p->o->races || (p->o->torn && p->m.l->tears))
			product_look_for_races(p, before, c);
		/* A cycle is a deadlock, whatever the others may still do. */
		if (product_in_cycle(p, c, a.thread))
			product_report(p, PRODUCT_DEADLOCK, a.thread,
				       machine_step(&p->m, c, a.thread), c);
		if (!choose(p, c, a.thread, &f, first))
			break;
		if (p->actions.count == first + 1) {
			a = vec_pop(&p->actions);
			continue;
		}
		over = !is_new(p, c, &f);
		if (over)
			p->actions.count = first;
		else
			product_push_frame(p, c, &f, first);
		break;
	}
	if (over)
		estimate_end(&p->estimate, f.share);
	vec_push(&p->spare, before);
}

static void step_frame(struct product *p)
{
	struct product_frame *f = &vec_last(&p->stack);
	machine_config *c;

	assert(f->next <= f->count && f->first + f->count <= p->actions.count);
	if (f->next == f->count) {
		assert(f->first + f->count == p->actions.count);
		p->actions.count = f->first;
		vec_push(&p->spare, f->config);
		p->stack.count--;
		return;
	}
	c = product_copy_config(p, f->config);
	product_cut_path(p, f);
	go_on(p, c, p->actions.items[f->first + f->next++], *f);
	vec_push(&p->spare, c);
}

static void resume(struct product *p)
{
	struct product_parked w = vec_pop(&p->resumed);
	machine_config *c = product_copy_config(p, w.config);
	struct product_frame f = {
		.last = w.last, .spent = w.spent, .tries = w.tries, .share = w.share};

	assert(p->stack.count == 0);
	vec_clear(&p->path);
	for (size_t i = 0; i < w.path.count; i++)
		vec_push(&p->path, w.path.items[i]);
	go_on(p, c, w.action, f);
	vec_push(&p->spare, c);
	product_drop_parked(p, &w);
}

/* Has the program run under what was asked; those who waited for it go on. */
static int ask_program(struct product *p)
{
	int rc = p->source->learn(p->source, p->asked.items, p->asked.count, p->e);

	p->stats->questions += p->asked.count;
	p->stats->batches++;
	for (size_t i = 0; i < p->asked.count; i++)
		vec_free(&p->asked.items[i]);
	vec_clear(&p->asked);
	seen_clear(&p->questions);
	if (rc)
		return rc;
	if (!machine_fits(&p->m))
		return 0;
	while (p->waiting.count) {
		struct product_parked w = vec_pop(&p->waiting);

		vec_push(&p->resumed, w);
	}
	return 0;
}

static void begin_pass(struct product *p)
{
	machine_config *c;
	struct machine_action first = {.kind = MACHINE_RUN};
	struct product_frame f = {.last = LEARN_NONE};
	uint64_t questions = p->stats->questions, batches = p->stats->batches;
	uint64_t passes = p->stats->passes, steps = p->stats->steps;

	if (p->stats->states > p->most_states)
		p->most_states = p->stats->states;
	product_forget_all(p);
	while (p->spare.count)
		free(vec_pop(&p->spare));
	seen_clear(&p->configs);
	seen_clear(&p->states);
	*p->stats = (struct product_stats){
		.questions = questions, .batches = batches, .passes = passes + 1, .steps = steps};
	machine_init(&p->m, p->source->l, p->o->model);
	p->m.loop_bound = p->o->loop_bound;
	p->m.spurious = p->o->spurious;
	p->version = p->m.l->version;
	p->estimate = (struct estimate)ESTIMATE_INIT;
	c = product_new_config(p);
	machine_begin(&p->m, c);
	go_on(p, c, first, f);
	vec_push(&p->spare, c);
}

static bool must_begin_anew(const struct product *p)
{
	if (!machine_fits(&p->m))
		return true;
	return p->m.l->version != p->version && p->stats->configs < EARLY_CONFIGS;
}

static int run_passes(struct product *p)
{
	int rc = 0;

	begin_pass(p);
	while (!p->over && !rc) {
		if (p->stack.count && p->asked.count < BATCH) {
			step_frame(p);
		} else if (p->resumed.count && p->asked.count < BATCH) {
			resume(p);
		} else if (p->asked.count) {
			rc = ask_program(p);
			if (!rc && must_begin_anew(p))
				begin_pass(p);
		} else if (p->m.l->version != p->version) {
			begin_pass(p);
		} else {
			return 0;
		}
	}
	return rc;
}

/* The first execution shows what main does at least up to its first read. */
static int first_run(struct product_source *source, struct err *e)
{
	struct model_schedule nothing = VEC_INIT;

	if (source->l->threads.count && source->l->nodes.count > 1)
		return 0;
	return source->learn(source, &nothing, 1, e);
}

int product_search(struct product_source *source, const struct product_opts *o,
		   struct product_stats *stats, struct err *e)
{
	struct product p = {.source = source, .o = o, .stats = stats, .e = e};
	int rc = first_run(source, e);

	memset(stats, 0, sizeof(*stats));
	if (rc)
		return rc;
	rc = run_passes(&p);
	/* Complete: nothing is left to try, to ask or to hear of. */
	assert(rc || p.over || (!p.stack.count && !p.waiting.count && !p.resumed.count));
	stats->complete = !rc && !p.over && !stats->limited && !stats->unknown;
	/* Passes before have looked at some of the same behaviours, and may have come further. */
	if (!stats->complete && stats->states < p.most_states)
		stats->states = p.most_states;
	stats->bytes = (p.configs.capacity + p.states.capacity) * sizeof(*p.configs.slots);
	product_forget_all(&p);
	while (p.spare.count)
		free(vec_pop(&p.spare));
	seen_fini(&p.configs);
	seen_fini(&p.states);
	seen_fini(&p.races);
	seen_fini(&p.questions);
	vec_free(&p.stack);
	vec_free(&p.spare);
	vec_free(&p.actions);
	vec_free(&p.path);
	vec_free(&p.waiting);
	vec_free(&p.resumed);
	vec_free(&p.asked);
	vec_free(&p.touched[0]);
	vec_free(&p.touched[1]);
	return rc;
}
