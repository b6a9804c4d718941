#include "symex/follow/convert_priv.h"

#include <assert.h>
#include <inttypes.h>

#include "model/event.h"
#include "wire/ctl.h"

#define ORDER(aux) ((aux)&7u)

static size_t kept_of(const struct follow_convert *x, const struct symex_thread *th)
{
	return x->keep ? x->keep[th->thread] : th->events.count;
}

/* ---- cells ---- */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void find_bounds(struct follow_convert *x)
{
	size_t kept = 0;

	for (size_t t = 0; t < x->from->threads.count; t++) {
		const struct symex_thread *th = &x->from->threads.items[t];

		for (size_t i = 0; i < kept_of(x, th); i++) {
			const struct symex_event *e = &th->events.items[i];

			for (uint32_t k = e->first; e->shared && k < e->first + e->count; k++) {
				const struct symex_part *p = &x->from->parts.items[k];

				vec_push(&x->bounds, p->addr);
				vec_push(&x->bounds, p->addr + p->size);
			}
		}
	}
	if (x->bounds.count)
		qsort(x->bounds.items, x->bounds.count, sizeof(uint64_t), by_number);
	for (size_t i = 0; i < x->bounds.count; i++)
		if (i == 0 || x->bounds.items[i] != x->bounds.items[i - 1])
			x->bounds.items[kept++] = x->bounds.items[i];
	x->bounds.count = kept;
	for (size_t i = 0; i < kept; i++)
		vec_push(&x->cell_at, STRACE_NONE);
}

static size_t bound_of(const struct follow_convert *x, uint64_t addr)
{
	size_t low = 0, high = x->bounds.count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (x->bounds.items[middle] < addr)
			low = middle + 1;
		else
			high = middle;
	}
	assert(low < x->bounds.count && x->bounds.items[low] == addr);
	return low;
}

static uint32_t cell_at(struct follow_convert *x, size_t bound)
{
	uint64_t addr = x->bounds.items[bound];
	uint32_t size = (uint32_t)(x->bounds.items[bound + 1] - addr);

	assert(size >= 1 && size <= 8);
	if (x->cell_at.items[bound] == STRACE_NONE)
		x->cell_at.items[bound] =
			strace_add_cell(&x->t, symex_trace_initial(x->from, addr, size));
	return x->cell_at.items[bound];
}

/* ---- values ---- */

static uint64_t cut(uint64_t value, uint32_t from, uint32_t size)
{
	value >>= from * 8;
	return size >= 8 ? value : value & ((UINT64_C(1) << size * 8) - 1);
}

/* What the executor's read returned, from the reads of its cells. */
static uint64_t put_together(const struct follow_convert *x, uint32_t read, const uint64_t *reads)
{
	const struct strace_list *all = &x->of_read.items[read];
	uint64_t value = 0;

	for (size_t i = 0; i < all->count; i++)
		value |= reads[all->items[i]] << x->reads.items[all->items[i]].from * 8;
	return value;
}

/* From now on nothing is known of any node. */
static void begin(void *arg)
{
	struct follow_convert *x = arg;

	x->stamp++;
	while (x->memo.count < expr_count(x->from->pool))
		vec_push(&x->memo, ((struct follow_memo){0, 0}));
}

static bool is_known(const struct follow_convert *x, expr_id e)
{
	return x->memo.items[e].stamp == x->stamp;
}

/* All arguments are known. */
static expr_value compute(const struct follow_convert *x, const struct expr_node *n, expr_id e,
			  const uint64_t *reads)
{
	expr_value arg[3] = {0, 0, 0}, value;
	unsigned width[3] = {0, 0, 0};

	if (n->op == EXPR_CONST) {
		expr_is_const(x->from->pool, e, &value);
		return value;
	}
	if (n->op == EXPR_READ)
		return put_together(x, n->read, reads);
	for (int i = 0; i < 3 && n->arg[i]; i++) {
		arg[i] = x->memo.items[n->arg[i]].value;
		width[i] = expr_width(x->from->pool, n->arg[i]);
	}
	return expr_compute((enum expr_op)n->op, n->width, n->aux, arg, width);
}

/*
 * A value depends on all that its thread read before: every node is computed once in a run, when it
 * is first asked for, and its reads have their values by then.
 */
static expr_value evaluate(struct follow_convert *x, expr_id root, const uint64_t *reads)
{
	vec_clear(&x->stack);
	vec_push(&x->stack, root);
	while (x->stack.count) {
		expr_id e = vec_last(&x->stack);
		const struct expr_node *n = expr_get(x->from->pool, e);
		size_t before = x->stack.count;

		for (int i = 0; i < 3 && n->op != EXPR_CONST && n->op != EXPR_READ && n->arg[i];
		     i++)
			if (!is_known(x, n->arg[i]))
				vec_push(&x->stack, n->arg[i]);
		if (x->stack.count > before)
			continue;
		x->memo.items[e] = (struct follow_memo){x->stamp, compute(x, n, e, reads)};
		(void)vec_pop(&x->stack);
	}
	return x->memo.items[root].value;
}

static uint64_t eval(void *arg, uint32_t expr, const uint64_t *reads)
{
	struct follow_convert *x = arg;
	const struct follow_piece *p = &x->pieces.items[expr];

	if (!p->expr)
		return cut(p->value, p->from, p->size);
	if (x->stamp == 0)
		begin(x);
	return cut((uint64_t)evaluate(x, p->expr, reads), p->from, p->size);
}

static const uint32_t *reads_of(void *arg, uint32_t expr, size_t *count)
{
	struct follow_convert *x = arg;
	const struct follow_piece *p = &x->pieces.items[expr];
	const uint32_t *theirs;
	size_t n;

	vec_clear(&x->deps);
	if (p->expr) {
		theirs = expr_reads(x->from->pool, p->expr, &n);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < x->of_read.items[theirs[i]].count; k++)
				vec_push(&x->deps, x->of_read.items[theirs[i]].items[k]);
	}
	*count = x->deps.count;
	return x->deps.items;
}

static uint32_t new_piece(struct follow_convert *x, expr_id expr, uint64_t value, uint32_t from,
			  uint32_t size)
{
	vec_push(&x->pieces, ((struct follow_piece){expr, value, from, size}));
	return (uint32_t)x->pieces.count - 1;
}

static uint32_t new_read(struct follow_convert *x, uint32_t read, uint32_t from, uint32_t size)
{
	uint32_t mine = (uint32_t)x->reads.count;

	vec_push(&x->reads, ((struct follow_read_piece){read, from, size}));
	vec_push(&x->of_read.items[read], mine);
	return mine;
}

/* ---- events ---- */

/* A part, cell by cell, of the event of t added last. */
static void add_part(struct follow_convert *x, const struct symex_part *p)
{
	uint64_t end = p->addr + p->size;

	for (size_t b = bound_of(x, p->addr); x->bounds.items[b] < end; b++) {
		uint32_t from = (uint32_t)(x->bounds.items[b] - p->addr);
		uint32_t size = (uint32_t)(x->bounds.items[b + 1] - x->bounds.items[b]);
		uint32_t read = STRACE_NONE, value = STRACE_NONE, cell = cell_at(x, b);

		if (p->reads && p->read != SYMEX_NONE)
			read = new_read(x, p->read, from, size);
		if (p->writes)
			value = new_piece(x, p->expr, p->value, from, size);
		if (read != STRACE_NONE || value != STRACE_NONE)
			strace_add_part(&x->t, cell, read, value);
	}
}

static enum strace_op access_op(const struct symex_trace *t, const struct symex_event *e)
{
	bool reads = false, writes = false;

	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		reads |= t->parts.items[k].reads;
		writes |= t->parts.items[k].writes;
	}
	if (e->kind == EVENT_RMW || e->kind == EVENT_CAS_FAIL || (reads && writes))
		return STRACE_RMW;
	return writes ? STRACE_WRITE : STRACE_READ;
}

/* Glued to the access before it in one indivisible step: the same event. */
static bool joins(const struct follow_convert *x, const struct symex_event *e, bool after_access)
{
	return after_access && (e->aux & EVENT_GLUED) && x->t.events.count &&
	       vec_last(&x->t.events).thread == e->thread && e->kind != EVENT_RMW &&
	       e->kind != EVENT_CAS_FAIL;
}

static void add_access(struct follow_convert *x, const struct symex_event *e, bool joined)
{
	enum strace_op op = access_op(x->from, e);
	struct strace_event *ev;

	if (joined) {
		ev = &vec_last(&x->t.events);
		ev->op = ev->op == op ? op : STRACE_RMW;
		ev->tag = e->tix;
	} else {
		strace_add_event(&x->t, e->thread, op, 0);
		ev = &vec_last(&x->t.events);
		ev->tag = e->tix;
		ev->site = e->site;
		if (op == STRACE_WRITE && ORDER(e->aux) == ORDER_SEQ_CST)
			ev->flags |= STRACE_THROUGH;
		else if (op == STRACE_WRITE && ORDER(e->aux) == ORDER_RELEASE)
			ev->flags |= STRACE_RELEASE;
	}
	for (uint32_t k = e->first; k < e->first + e->count; k++)
		add_part(x, &x->from->parts.items[k]);
}

static int add_thread(struct follow_convert *x, const struct symex_thread *th, struct err *e)
{
	bool after_access = false, expired = false;
	int rc = 0;

	vec_clear(&x->at);
	for (size_t i = 0; i < kept_of(x, th) && rc == 0; i++) {
		const struct symex_event *ev = &th->events.items[i];
		bool joined = after_access && ev->shared && joins(x, ev, after_access);

		vec_push(&x->at, (uint32_t)x->t.events.count - joined);
		if (model_event_class(ev->kind) == EVENT_CLASS_ACCESS && ev->kind != EVENT_FENCE) {
			if (!ev->shared)
				continue;
			add_access(x, ev, joined);
			after_access = true;
		} else if (!ev->marker) {
			after_access = false;
			rc = convert_sync(x, ev, expired, e);
			expired = ev->kind == EVENT_COND_TIMEOUT ||
				  (expired && ev->kind != EVENT_COND_WAKE);
		}
	}
	return rc;
}

/* The first event of t behind what the thread of the executor had done; right after add_thread().
 */
static uint32_t event_behind(const struct follow_convert *x, uint32_t done)
{
	uint32_t at = done < x->at.count ? x->at.items[done] : (uint32_t)x->t.events.count;

	return at < x->t.events.count ? at : STRACE_NONE;
}

static void add_conditions(struct follow_convert *x, const struct symex_thread *th, size_t most)
{
	for (size_t i = 0; i < th->conditions.count && i < most; i++) {
		const struct symex_condition *c = &th->conditions.items[i];
		enum strace_why why = c->why == SYMEX_WHY_FAILURE ? STRACE_BUG : STRACE_PATH;

		if (c->event > kept_of(x, th))
			break;
		strace_add_condition(&x->t, new_piece(x, c->expr, 0, 0, 8), why);
		vec_last(&x->t.conditions).thread = c->thread;
		vec_last(&x->t.conditions).site = c->site;
		vec_last(&x->t.conditions).next = event_behind(x, c->event);
	}
}

static int check_end(struct follow_convert *x, const struct symex_thread *th, struct err *e)
{
	if (th->end == SYMEX_END_UNKNOWN || th->end == SYMEX_END_DIVERGED ||
	    th->end == SYMEX_END_LIMIT)
		return err_set(e, ERR_UNSUPPORTED, "thread %" PRIu32 " cannot be followed: %s",
			       th->thread, th->reason);
	if (th->end != SYMEX_END_FAILED)
		return 0;
	/* What the executor takes for a failure of another thread is not what happened. */
	if ((x->may_fail != STRACE_NONE && x->may_fail != th->thread) || x->failed != STRACE_NONE)
		return err_set(e, ERR_UNSUPPORTED,
			       "thread %" PRIu32 " cannot be followed: it did not fail when it was "
			       "recorded (%s)",
			       th->thread, th->reason);
	x->failed = th->thread;
	return 0;
}

/* What is no memory and nobody gave: an order cannot say what it is, when it matters. */
static int check_unknowns(const struct follow_convert *x, struct err *e)
{
	for (size_t i = 0; i < x->pieces.count; i++) {
		const uint32_t *reads;
		size_t n = 0;

		reads = x->pieces.items[i].expr
				? expr_reads(x->from->pool, x->pieces.items[i].expr, &n)
				: NULL;
		for (size_t k = 0; k < n; k++)
			if (!x->of_read.items[reads[k]].count)
				return err_set(e, ERR_UNSUPPORTED,
					       "something thread %" PRIu32
					       " got from outside is not recorded",
					       x->from->reads.items[reads[k]].thread);
	}
	return 0;
}

int follow_convert(struct follow_convert *x, const struct symex_trace *from,
		   const struct follow_convert_opts *o, struct err *e)
{
	int rc = 0;

	*x = (struct follow_convert){
		.from = from, .failed = STRACE_NONE, .may_fail = o->may_fail, .keep = o->keep};
	strace_init(&x->t);
	for (size_t i = 0; i < from->reads.count; i++)
		vec_push(&x->of_read, ((struct strace_list){NULL, 0, 0}));
	find_bounds(x);
	for (size_t t = 0; t < from->threads.count && rc == 0; t++) {
		rc = o->partly ? 0 : check_end(x, &from->threads.items[t], e);
		if (rc == 0)
			rc = add_thread(x, &from->threads.items[t], e);
		if (rc == 0 && (o->only == STRACE_NONE || o->only == t))
			add_conditions(x, &from->threads.items[t],
				       o->ends && o->end_thread == t ? o->conditions : SIZE_MAX);
		if (rc == 0 && o->ends && o->end_thread == t && x->t.events.count &&
		    vec_last(&x->t.events).thread == t)
			x->t.until = (uint32_t)x->t.events.count - 1;
	}
	if (rc == 0)
		rc = check_unknowns(x, e);
	x->t.values = (struct strace_values){x, eval, begin, reads_of};
	return rc == 0 ? strace_seal(&x->t, e) : rc;
}

uint32_t follow_convert_piece(struct follow_convert *x, expr_id expr)
{
	return new_piece(x, expr, 0, 0, 8);
}

void follow_convert_fini(struct follow_convert *x)
{
	for (size_t i = 0; i < x->of_read.count; i++)
		vec_free(&x->of_read.items[i]);
	strace_fini(&x->t);
	vec_free(&x->pieces);
	vec_free(&x->reads);
	vec_free(&x->of_read);
	vec_free(&x->bounds);
	vec_free(&x->cell_at);
	vec_free(&x->memo);
	vec_free(&x->stack);
	vec_free(&x->deps);
	vec_free(&x->at);
}
