#include "analyze/schedule.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/outside.h"
#include "stable/log.h"

#define MAX_OPS 4096 /* of a thread */
#define NEVER UINT64_MAX

/* One thread of the log. */
struct scheduled {
	VEC(uint16_t) ops;
	VEC(bool) blocked;  /* of each: it waits, and is in the log again when it is done */
	VEC(uint64_t) from; /* of each: when it was come to, in the order of all */
	VEC(uint64_t) at;   /* and when it was done */
	VEC(uint32_t) made; /* of each: the thread it makes */
	uint64_t begin, end;
	bool found; /* the program has a thread that does all of it */
	bool known; /* somebody makes it, or it is the first */
};

/* It, as one of the threads of the program. */
struct instance {
	uint32_t logged, thread;
};

struct bits {
	uint64_t *words;
};

struct schedule {
	struct flow *f;
	VEC(struct scheduled) threads;
	VEC(struct instance) instances;
	VEC(struct bits) positions; /* by instance * accesses + access; words NULL: never there */
	size_t words;		    /* of a set of positions */
	/* Of the instance at hand, by body: */
	struct ptrmap *reached; /* by body: blocks that a thread comes to */
	struct bits *entry, *leave;
	bool *queued;
	VEC(uint32_t) queue;
	uint32_t instance;
	bool collecting;
	bool done; /* its last operation was met */
};

/* ---- the log ---- */

/* Operations that follow from others. */
static bool is_silent(uint16_t op)
{
	return op == STABLE_OP_THREAD_BEGIN || op == STABLE_OP_COND_RELOCK ||
	       op == STABLE_OP_THREAD_END || op == STABLE_OP_NONE ||
	       op == STABLE_OP_STATE_ENTER || op == STABLE_OP_STATE_LEAVE ||
	       op == STABLE_OP_CHANNEL || op == STABLE_OP_CHANNELS;
}

static struct scheduled *logged(struct schedule *s, uint32_t tid)
{
	while (s->threads.count <= tid) {
		struct scheduled t = {.end = NEVER};

		vec_push(&s->threads, t);
	}
	return &s->threads.items[tid];
}

static int take_log(struct schedule *s, const struct stable_log *log, struct err *e)
{
	for (size_t i = 0; i < log->op_count; i++) {
		const struct stable_entry *op = log->ops[i];
		struct scheduled *t;

		if (op->tid > 100000 || (op->op == STABLE_OP_THREAD_CREATE && op->obj > 100000))
			return err_set(e, ERR_FORMAT, "a schedule with too many threads");
		t = logged(s, op->tid);
		if (op->op == STABLE_OP_THREAD_END)
			t->end = i + 1;
		if (op->op == STABLE_OP_THREAD_BEGIN)
			t->begin = i + 1;
		/* A wait is over when its lock is back. */
		if (op->op == STABLE_OP_COND_RELOCK && t->ops.count)
			vec_last(&t->at) = i + 1;
		if (is_silent(op->op))
			continue;
		if (t->ops.count && vec_last(&t->blocked) && vec_last(&t->ops) == op->op) {
			vec_last(&t->blocked) = op->res == STABLE_RES_BLOCKED;
			vec_last(&t->at) = i + 1;
			continue;
		}
		if (t->ops.count == MAX_OPS)
			return err_set(e, ERR_LIMIT, "a thread with more than %d operations",
				       MAX_OPS);
		vec_push(&t->ops, op->op);
		vec_push(&t->blocked, op->res == STABLE_RES_BLOCKED);
		vec_push(&t->from, i + 1);
		vec_push(&t->at, i + 1);
		vec_push(&t->made, op->obj);
		if (op->op == STABLE_OP_THREAD_CREATE) {
			logged(s, op->obj)->begin = i + 1;
			s->threads.items[op->obj].known = true;
		}
	}
	logged(s, 0)->known = true;
	for (size_t i = 0; i < s->threads.count; i++)
		if (s->threads.items[i].ops.count / 64 + 1 > s->words)
			s->words = s->threads.items[i].ops.count / 64 + 1;
	return 0;
}

/* ---- sets of positions ---- */

static struct bits new_bits(const struct schedule *s)
{
	return (struct bits){xcalloc(s->words, sizeof(uint64_t))};
}

static bool join(const struct schedule *s, struct bits *to, const struct bits *from)
{
	bool changed = false;

	for (size_t i = 0; i < s->words; i++) {
		changed |= (from->words[i] & ~to->words[i]) != 0;
		to->words[i] |= from->words[i];
	}
	return changed;
}

static bool is_empty(const struct schedule *s, const struct bits *b)
{
	for (size_t i = 0; i < s->words; i++)
		if (b->words[i])
			return false;
	return true;
}

static void put(struct bits *b, size_t i)
{
	b->words[i / 64] |= UINT64_C(1) << (i % 64);
}

static const struct scheduled *current(const struct schedule *s)
{
	return &s->threads.items[s->instances.items[s->instance].logged];
}

/* ---- calls ---- */

static const struct {
	const char *name;
	uint16_t op;
} kinds[] = {
	{"pthread_create", STABLE_OP_THREAD_CREATE},
	{"pthread_join", STABLE_OP_THREAD_JOIN},
	{"pthread_mutex_lock", STABLE_OP_MUTEX_LOCK},
	{"pthread_mutex_unlock", STABLE_OP_MUTEX_UNLOCK},
	{"pthread_mutex_trylock", STABLE_OP_MUTEX_TRYLOCK},
	{"pthread_cond_wait", STABLE_OP_COND_WAIT},
	{"pthread_cond_signal", STABLE_OP_COND_SIGNAL},
	{"pthread_cond_broadcast", STABLE_OP_COND_BROADCAST},
	{"pthread_rwlock_rdlock", STABLE_OP_RWLOCK_RDLOCK},
	{"pthread_rwlock_wrlock", STABLE_OP_RWLOCK_WRLOCK},
	{"pthread_rwlock_unlock", STABLE_OP_RWLOCK_UNLOCK},
	{"sem_wait", STABLE_OP_SEM_WAIT},
	{"sem_post", STABLE_OP_SEM_POST},
	{"pthread_barrier_wait", STABLE_OP_BARRIER_WAIT},
	{"thrd_create", STABLE_OP_THREAD_CREATE},
	{"thrd_join", STABLE_OP_THREAD_JOIN},
	{"mtx_lock", STABLE_OP_MUTEX_LOCK},
	{"mtx_unlock", STABLE_OP_MUTEX_UNLOCK},
	{"mtx_trylock", STABLE_OP_MUTEX_TRYLOCK},
	{"cnd_wait", STABLE_OP_COND_WAIT},
	{"cnd_signal", STABLE_OP_COND_SIGNAL},
	{"cnd_broadcast", STABLE_OP_COND_BROADCAST},
	{"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
	 STABLE_OP_THREAD_CREATE},
	{"_ZNSt6thread4joinEv", STABLE_OP_THREAD_JOIN},
	{"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", STABLE_OP_COND_WAIT},
	{"_ZNSt18condition_variable10notify_oneEv", STABLE_OP_COND_SIGNAL},
	{"_ZNSt18condition_variable10notify_allEv", STABLE_OP_COND_BROADCAST},
};

/* The operation a function does; NONE: any, or none. */
static uint16_t op_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].op;
	return STABLE_OP_NONE;
}

static bool is_of_kinds(uint16_t op)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].op == op)
			return true;
	return false;
}

static void queue_instance(struct schedule *s, uint32_t tid, uint32_t thread)
{
	struct instance x = {tid, thread};

	for (size_t i = 0; i < s->instances.count; i++)
		if (s->instances.items[i].logged == tid && s->instances.items[i].thread == thread)
			return;
	vec_push(&s->instances, x);
}

/* Past a call that does one operation of a kind. */
static void pass_one(struct schedule *s, uint32_t body, LLVMValueRef call, uint16_t op,
		     struct bits *b)
{
	const struct whole *w = s->f->w;
	const struct scheduled *t = current(s);
	struct bits to = new_bits(s);

	for (size_t i = 0; i < t->ops.count; i++) {
		if (!flow_bit(b->words, (uint32_t)i) || t->ops.items[i] != op)
			continue;
		put(&to, i + 1);
		s->done |= i + 1 == t->ops.count;
		if (op != STABLE_OP_THREAD_CREATE)
			continue;
		for (uint32_t k = 1; k < w->threads.count; k++)
			if (w->threads.items[k].create == call &&
			    (w->threads.items[k].body == body || w->threads.items[k].many))
				queue_instance(s, t->made.items[i], k);
	}
	memcpy(b->words, to.words, s->words * sizeof(uint64_t));
	free(to.words);
}

/* Past one that may do any operations that have no calls of their own, or, when it may wait, all.
 */
static void pass_any(struct schedule *s, bool all, struct bits *b)
{
	const struct scheduled *t = current(s);

	for (size_t i = 0; i < t->ops.count; i++)
		if (flow_bit(b->words, (uint32_t)i) && (all || !is_of_kinds(t->ops.items[i]))) {
			put(b, i + 1);
			s->done |= i + 1 == t->ops.count;
		}
}

static void queue_body(struct schedule *s, uint32_t body)
{
	if (s->queued[body])
		return;
	s->queued[body] = true;
	vec_push(&s->queue, body);
}

static void call_links(struct schedule *s, uint32_t body, LLVMValueRef call, bool also_past,
		       struct bits *b)
{
	const struct body *x = &s->f->w->bodies.items[body];
	struct bits out = new_bits(s);
	bool any = false;

	for (size_t i = 0; i < x->links.count; i++) {
		if (x->links.items[i].call != call)
			continue;
		any = true;
		if (join(s, &s->entry[x->links.items[i].body], b))
			queue_body(s, x->links.items[i].body);
		join(s, &out, &s->leave[x->links.items[i].body]);
	}
	if (any && also_past)
		join(s, &out, b);
	if (any)
		memcpy(b->words, out.words, s->words * sizeof(uint64_t));
	free(out.words);
}

static void past_call(struct schedule *s, uint32_t body, LLVMValueRef call, struct bits *b)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name;
	size_t bytes;

	while (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	if (LLVMIsAInlineAsm(callee))
		return;
	if (!LLVMIsAFunction(callee) || whole_code(s->f->w, callee) != WHOLE_NONE) {
		if (!LLVMIsAFunction(callee))
			pass_any(s, true, b);
		call_links(s, body, call, !LLVMIsAFunction(callee), b);
		return;
	}
	name = LLVMGetValueName2(callee, &bytes);
	if (!strncmp(name, "llvm.", 5))
		return;
	if (op_of(name) != STABLE_OP_NONE) {
		/* Operations without calls of their own may come before. */
		pass_any(s, false, b);
		pass_one(s, body, call, op_of(name), b);
		return;
	}
	/* Locks and waits of other names are operations of any kind. */
	pass_any(s,
		 outside_use(name) != OUTSIDE_OTHER && outside_use(name) != OUTSIDE_ALLOCATE &&
			 outside_use(name) != OUTSIDE_FREE,
		 b);
	call_links(s, body, call, true, b);
}

/* ---- bodies ---- */

static void note(struct schedule *s, uint32_t body, LLVMValueRef at, const struct bits *b)
{
	const struct flow *f = s->f;

	for (size_t i = 0; i < f->accesses.count; i++) {
		struct bits *to = &s->positions.items[s->instance * f->accesses.count + i];

		if (f->accesses.items[i].body != body || f->accesses.items[i].at != at)
			continue;
		if (!to->words)
			*to = new_bits(s);
		join(s, to, b);
	}
}

static void walk_block(struct schedule *s, uint32_t body, LLVMBasicBlockRef block, struct bits *b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !is_empty(s, b);
	     i = LLVMGetNextInstruction(i)) {
		if (s->collecting)
			note(s, body, i, b);
		if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
			past_call(s, body, i, b);
		if (LLVMIsAReturnInst(i) && join(s, &s->leave[body], b))
			for (size_t k = 0; k < s->f->w->bodies.items[body].callers.count; k++)
				queue_body(s, s->f->w->bodies.items[body].callers.items[k].body);
	}
}

static void solve_body(struct schedule *s, uint32_t body)
{
	const struct code *c = &s->f->w->codes.items[s->f->w->bodies.items[body].code];
	size_t n = c->cfg.blocks.count;
	struct bits *in = xcalloc(n + 1, sizeof(*in)), now = new_bits(s);
	bool *again = xcalloc(n + 1, sizeof(bool)), more = true, collecting = s->collecting;

	for (size_t i = 0; i < n; i++)
		in[i] = new_bits(s);
	join(s, &in[0], &s->entry[body]);
	again[0] = true;
	s->collecting = false;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++) {
			LLVMValueRef end = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[i]);

			if (!again[i])
				continue;
			more = true;
			again[i] = false;
			memcpy(now.words, in[i].words, s->words * sizeof(uint64_t));
			walk_block(s, body, c->cfg.blocks.items[i], &now);
			for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
				uint32_t to;

				if (cfg_index(&c->cfg, LLVMGetSuccessor(end, k), &to) &&
				    join(s, &in[to], &now))
					again[to] = true;
			}
		}
	}
	s->collecting = collecting;
	for (uint32_t i = 0; i < n && collecting; i++) {
		if (!is_empty(s, &in[i]))
			ptrmap_add(&s->reached[body], c->cfg.blocks.items[i]);
		memcpy(now.words, in[i].words, s->words * sizeof(uint64_t));
		walk_block(s, body, c->cfg.blocks.items[i], &now);
	}
	for (size_t i = 0; i < n; i++)
		free(in[i].words);
	free(now.words);
	free(in);
	free(again);
}

static void enter_ends(struct schedule *s, uint32_t root, const struct bits *b)
{
	const struct body *x = &s->f->w->bodies.items[root];

	for (size_t i = 0; i < x->links.count; i++)
		if ((!x->links.items[i].call || x->links.items[i].call == WHOLE_BEFORE) &&
		    join(s, &s->entry[x->links.items[i].body], b))
			queue_body(s, x->links.items[i].body);
}

/* One thread of the log, as one of the program. */
static void solve_instance(struct schedule *s)
{
	struct whole *w = s->f->w;
	uint32_t root = w->threads.items[s->instances.items[s->instance].thread].root;
	size_t n = w->bodies.count, ops = current(s)->ops.count;
	struct bits all = new_bits(s);

	s->entry = xcalloc(n + 1, sizeof(*s->entry));
	s->leave = xcalloc(n + 1, sizeof(*s->leave));
	s->queued = xcalloc(n + 1, sizeof(*s->queued));
	for (size_t i = 0; i < n; i++) {
		s->entry[i] = new_bits(s);
		s->leave[i] = new_bits(s);
	}
	for (size_t i = 0; i < s->f->accesses.count; i++)
		vec_push(&s->positions, (struct bits){NULL});
	put(&s->entry[root], 0);
	s->done = ops == 0;
	/* What runs before main or at the end is at any position. */
	for (size_t i = 0; i <= ops; i++)
		put(&all, i);
	enter_ends(s, root, &all);
	queue_body(s, root);
	while (s->queue.count) {
		uint32_t body = vec_pop(&s->queue);

		s->queued[body] = false;
		solve_body(s, body);
	}
	s->collecting = true;
	for (uint32_t i = 0; i < n; i++)
		if (!is_empty(s, &s->entry[i]))
			solve_body(s, i);
	s->collecting = false;
	for (size_t i = 0; i < n; i++) {
		free(s->entry[i].words);
		free(s->leave[i].words);
	}
	free(all.words);
	free(s->entry);
	free(s->leave);
	free(s->queued);
	vec_clear(&s->queue);
}

int schedule_new(struct flow *f, const char *path, struct schedule **out, struct err *e)
{
	struct schedule *s = xcalloc(1, sizeof(*s));
	struct stable_log log;
	int rc = stable_log_open(&log, path, e);

	s->f = f;
	s->reached = xcalloc(f->w->bodies.count + 1, sizeof(*s->reached));
	if (rc == 0) {
		if (!log.header.complete)
			rc = err_set(e, ERR_UNSUPPORTED, "the run of %s did not end orderly", path);
		if (rc == 0)
			rc = take_log(s, &log, e);
		stable_log_close(&log);
	}
	if (rc == 0) {
		queue_instance(s, 0, 0);
		for (s->instance = 0; s->instance < s->instances.count; s->instance++) {
			solve_instance(s);
			s->threads.items[s->instances.items[s->instance].logged].found |= s->done;
		}
		for (uint32_t t = 0; t < s->threads.count && rc == 0; t++) {
			if (!s->threads.items[t].found && s->threads.items[t].known)
				rc = err_set(e, ERR_MISMATCH,
					     "no thread of the program is T%u of %s", t, path);
		}
	}
	*out = s;
	if (rc != 0) {
		schedule_free(s);
		*out = NULL;
	}
	return rc;
}

void schedule_free(struct schedule *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->threads.count; i++) {
		vec_free(&s->threads.items[i].ops);
		vec_free(&s->threads.items[i].at);
		vec_free(&s->threads.items[i].from);
		vec_free(&s->threads.items[i].blocked);
		vec_free(&s->threads.items[i].made);
	}
	for (size_t i = 0; i < s->positions.count; i++)
		free(s->positions.items[i].words);
	for (size_t i = 0; i < s->f->w->bodies.count; i++)
		ptrmap_free(&s->reached[i]);
	free(s->reached);
	vec_free(&s->threads);
	vec_free(&s->instances);
	vec_free(&s->positions);
	vec_free(&s->queue);
	free(s);
}

uint32_t schedule_threads(const struct schedule *s)
{
	return (uint32_t)s->threads.count;
}

/* ---- regions ---- */

static uint64_t region_begin(const struct scheduled *t, size_t position)
{
	return position ? t->at.items[position - 1] : t->begin;
}

static uint64_t region_end(const struct scheduled *t, size_t position)
{
	return position < t->ops.count ? t->from.items[position] : t->end;
}

/* Is a region of the first not behind all of the second? */
static bool begins_before_end(const struct scheduled *x, const struct bits *a,
			      const struct scheduled *y, const struct bits *b)
{
	size_t first = 0, last = y->ops.count;

	while (first <= x->ops.count && !flow_bit(a->words, (uint32_t)first))
		first++;
	while (last && !flow_bit(b->words, (uint32_t)last))
		last--;
	if (x == y)
		return first <= last;
	return first <= x->ops.count && region_begin(x, first) < region_end(y, last);
}

static bool overlap(const struct scheduled *x, const struct bits *a, const struct scheduled *y,
		    const struct bits *b)
{
	for (size_t i = 0; i <= x->ops.count; i++) {
		if (!flow_bit(a->words, (uint32_t)i))
			continue;
		for (size_t k = 0; k <= y->ops.count; k++)
			if (flow_bit(b->words, (uint32_t)k) &&
			    region_begin(x, i) < region_end(y, k) &&
			    region_begin(y, k) < region_end(x, i))
				return true;
	}
	return false;
}

bool schedule_beside(const struct schedule *s, uint32_t a, uint32_t b)
{
	size_t n = s->f->accesses.count;

	for (size_t i = 0; i < s->instances.count; i++)
		for (size_t k = 0; k < s->instances.count; k++) {
			const struct instance *x = &s->instances.items[i],
					      *y = &s->instances.items[k];
			const struct bits *p = &s->positions.items[i * n + a];
			const struct bits *q = &s->positions.items[k * n + b];

			if (x->logged != y->logged && p->words && q->words &&
			    overlap(&s->threads.items[x->logged], p, &s->threads.items[y->logged],
				    q))
				return true;
		}
	return false;
}

bool schedule_may_precede(const struct schedule *s, uint32_t a, uint32_t b)
{
	size_t n = s->f->accesses.count;

	for (size_t i = 0; i < s->instances.count; i++)
		for (size_t k = 0; k < s->instances.count; k++) {
			const struct bits *p = &s->positions.items[i * n + a];
			const struct bits *q = &s->positions.items[k * n + b];

			if (p->words && q->words &&
			    begins_before_end(&s->threads.items[s->instances.items[i].logged], p,
					      &s->threads.items[s->instances.items[k].logged], q))
				return true;
		}
	return false;
}

bool schedule_comes_to(const struct schedule *s, uint32_t body, LLVMBasicBlockRef block)
{
	return ptrmap_has(&s->reached[body], block);
}
