/* Sources of reads: who they may be, and what makes one of them the source. */
#include <assert.h>

#include "solve/strace/encode.h"

/* ---- candidates ---- */

/* Facts put another write of the cell between w and r. */
static bool hidden(const struct strace_facts *f, uint32_t w, uint32_t r,
		   const struct strace_list *all)
{
	if (!f->after)
		return false;
	for (size_t i = 0; i < all->count; i++) {
		uint32_t v = f->t->parts.items[all->items[i]].event;

		if (v != w && v != r && (w == STRACE_NONE || strace_facts_before(f, w, v)) &&
		    strace_facts_before(f, v, r))
			return true;
	}
	return false;
}

static bool possible(const struct strace_facts *f, bool buffered, const struct strace_part *r,
		     uint32_t part, const struct strace_list *all)
{
	const struct strace *t = f->t;
	uint32_t w = t->parts.items[part].event;
	bool mine = t->events.items[w].thread == t->events.items[r->event].thread;

	if (w == r->event || (mine && part != r->own))
		return false;
	if (mine)
		return buffered || !hidden(f, w, r->event, all);
	return !strace_facts_before(f, r->event, w) && !hidden(f, w, r->event, all);
}

void strace_encode_candidates(const struct strace_facts *f, bool buffered, uint32_t read,
			      struct strace_list *out)
{
	const struct strace_part *r = &f->t->parts.items[f->t->read_part.items[read]];
	const struct strace_list *all = &f->t->writers.items[r->cell];

	for (size_t i = 0; i < all->count; i++)
		if (possible(f, buffered, r, all->items[i], all))
			vec_push(out, all->items[i]);
	if (r->own == STRACE_NONE && !hidden(f, STRACE_NONE, r->event, all))
		vec_push(out, STRACE_NONE);
}

/* Makes read r one that matters; what it sees now is tried first. */
static void activate(struct strace_encode *x, uint32_t read, uint32_t now)
{
	struct strace_active *a = &x->active[read];
	struct strace_list all = {NULL, 0, 0};

	if (a->count)
		return;
	strace_encode_candidates(x->facts, x->buffered, read, &all);
	assert(all.count);
	for (size_t i = 0; i < all.count; i++) {
		struct strace_candidate c = {all.items[i], solve_formula_plain(&x->f, false),
					     false};

		vec_push(a, c);
	}
	vec_free(&all);
	strace_encode_begin(x, STRACE_BY_RW);
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].part == now)
			strace_encode_add(x, solve_pos(a->items[i].rf));
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].part != now)
			strace_encode_add(x, solve_pos(a->items[i].rf));
	strace_encode_end(x, STRACE_BY_RW);
}

/* What a read saw is among what it may see: facts hold in every order that is carried out. */
static struct strace_candidate *chosen(struct strace_active *a, uint32_t part)
{
	size_t i = 0;

	while (i < a->count && a->items[i].part != part)
		i++;
	assert(i < a->count);
	return &a->items[i];
}

/* ---- what makes a source the source ---- */

struct match {
	struct strace_encode *x;
	const struct strace_part *r;
	struct strace_candidate *c;
	uint32_t w; /* event, STRACE_NONE: the beginning */
};

static void imply(const struct match *m, solve_lit a, solve_lit b)
{
	strace_encode_begin(m->x, STRACE_BY_RW);
	strace_encode_add(m->x, solve_not(solve_pos(m->c->rf)));
	strace_encode_add(m->x, a);
	strace_encode_add(m->x, b);
	strace_encode_end(m->x, STRACE_BY_RW);
}

/* Another write is not between. */
static void outside(const struct match *m, uint32_t part)
{
	struct strace_encode *x = m->x;
	uint32_t other = x->t->parts.items[part].event, r = m->r->event;
	solve_lit after = strace_encode_before(x, r, other);

	if (other == m->w || other == r)
		return;
	if (m->w == STRACE_NONE) {
		imply(m, after, SOLVE_FALSE);
	} else if (x->buffered && m->c->part == m->r->own) {
		/* Seen on its way to memory, or there before anybody else came. */
		strace_encode_begin(x, STRACE_BY_RW);
		strace_encode_add(x, solve_not(solve_pos(m->c->rf)));
		strace_encode_add(x, strace_encode_before(x, r, m->w));
		strace_encode_add(x, strace_encode_before(x, other, m->w));
		strace_encode_add(x, after);
		strace_encode_end(x, STRACE_BY_RW);
	} else {
		/* The own store would be seen if it were still on its way. */
		imply(m, strace_encode_before(x, other, m->w),
		      part == m->r->own ? SOLVE_FALSE : after);
	}
}

static void match_plain(const struct match *m)
{
	const struct strace_list *all = &m->x->t->writers.items[m->r->cell];

	for (size_t i = 0; i < all->count; i++)
		outside(m, all->items[i]);
}

/* Writes of a cell that facts put in one line: of a core when that is known, else of a thread. */
static int64_t line_of(const struct strace_encode *x, uint32_t part)
{
	const struct strace_event *e = &x->t->events.items[x->t->parts.items[part].event];

	return x->facts->o.cores && e->core >= 0 ? (int64_t)e->core : -1 - (int64_t)e->thread;
}

static uint32_t place_of(const struct strace_encode *x, uint32_t part)
{
	uint32_t event = x->t->parts.items[part].event;
	const struct strace_event *e = &x->t->events.items[event];

	return x->facts->o.cores && e->core >= 0 ? e->core_at : event;
}

/* The writes of a line, in order: (W, R) goes in one piece before, between or behind them. */
static void match_line(const struct match *m, const struct strace_list *line)
{
	struct strace_encode *x = m->x;
	uint32_t r = m->r->event;
	struct solve_lits some = {NULL, 0, 0};

	for (size_t i = 0; i <= line->count; i++) {
		solve_lit below = SOLVE_TRUE, above = SOLVE_TRUE, both;

		if (i > 0)
			below = strace_encode_before(x, x->t->parts.items[line->items[i - 1]].event,
						     m->w);
		if (i < line->count)
			above = strace_encode_before(x, r, x->t->parts.items[line->items[i]].event);
		if (below == SOLVE_TRUE || above == SOLVE_TRUE) {
			both = below == SOLVE_TRUE ? above : below;
		} else {
			solve_lit parts[2] = {below, above};

			both = solve_pos(solve_formula_plain(&x->f, false));
			for (int k = 0; k < 2; k++)
				solve_formula_clause(&x->f,
						     (solve_lit[]){solve_not(both), parts[k]}, 2);
		}
		vec_push(&some, both);
	}
	strace_encode_begin(x, STRACE_BY_RW);
	strace_encode_add(x, solve_not(solve_pos(m->c->rf)));
	for (size_t i = 0; i < some.count; i++)
		strace_encode_add(x, some.items[i]);
	strace_encode_end(x, STRACE_BY_RW);
	vec_free(&some);
}

struct line_entry {
	int64_t line;
	uint32_t place, part;
};

static int by_line(const void *a, const void *b)
{
	const struct line_entry *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void match_own_line(const struct match *m, const struct strace_list *line)
{
	for (size_t i = 0; i + 1 < line->count; i++)
		if (line->items[i] == m->c->part)
			imply(m,
			      strace_encode_before(m->x, m->r->event,
						   m->x->t->parts.items[line->items[i + 1]].event),
			      SOLVE_FALSE);
}

static void match_by_line(const struct match *m)
{
	const struct strace_list *all = &m->x->t->writers.items[m->r->cell];
	struct line_entry *sorted = xcalloc(all->count + 1, sizeof(*sorted));
	struct strace_list line = {NULL, 0, 0};
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		if (m->x->t->parts.items[all->items[i]].event != m->r->event)
			sorted[n++] =
				(struct line_entry){line_of(m->x, all->items[i]),
						    place_of(m->x, all->items[i]), all->items[i]};
	qsort(sorted, n, sizeof(*sorted), by_line);
	for (size_t i = 0; i < n; i++) {
		assert(i == 0 || sorted[i - 1].line <= sorted[i].line);
		vec_push(&line, sorted[i].part);
		if (i + 1 < n && sorted[i + 1].line == sorted[i].line)
			continue;
		if (m->w == STRACE_NONE)
			outside(m, line.items[0]);
		else if (sorted[i].line == line_of(m->x, m->c->part))
			match_own_line(m, &line);
		else
			match_line(m, &line);
		vec_clear(&line);
	}
	vec_free(&line);
	free(sorted);
}

static void enforce(struct strace_encode *x, uint32_t read, struct strace_candidate *c)
{
	const struct strace_part *r = &x->t->parts.items[x->t->read_part.items[read]];
	struct match m = {x, r, c,
			  c->part == STRACE_NONE ? STRACE_NONE : x->t->parts.items[c->part].event};
	bool forwards = x->buffered && r->own != STRACE_NONE;

	assert(!c->enforced);
	assert(m.w != r->event);
	c->enforced = true;
	if (m.w != STRACE_NONE && !(forwards && c->part == r->own))
		imply(&m, strace_encode_before(x, m.w, r->event), SOLVE_FALSE);
	/* Lines say nothing of stores on their way. */
	if (x->by_core && !forwards)
		match_by_line(&m);
	else
		match_plain(&m);
}

size_t strace_encode_enforce(struct strace_encode *x, const struct strace_sim *s,
			     const struct solve_model *model)
{
	size_t done = 0;

	for (uint32_t r = 0; r < x->t->reads; r++) {
		for (size_t i = 0; i < x->active[r].count; i++) {
			struct strace_candidate *c = &x->active[r].items[i];

			if (c->rf >= model->values.count || !model->values.items[c->rf] ||
			    s->source[r] == c->part)
				continue;
			assert(!c->enforced);
			enforce(x, r, c);
			done++;
		}
	}
	return done;
}

/* ---- conditions ---- */

static const uint32_t *reads_of(const struct strace *t, uint32_t expr, size_t *n)
{
	return t->values.reads(t->values.arg, expr, n);
}

/* What the source gives whatever happens; false when that depends on reads. */
static bool is_constant(const struct strace_encode *x, uint32_t read, uint32_t part,
			uint64_t *value)
{
	size_t n = 0;

	if (part == STRACE_NONE) {
		*value = x->t->cells.items[x->t->parts.items[x->t->read_part.items[read]].cell];
		return true;
	}
	reads_of(x->t, x->t->parts.items[part].value, &n);
	if (n)
		return false;
	*value = x->t->values.eval(x->t->values.arg, x->t->parts.items[part].value, NULL);
	return true;
}

/* "read r returns the constant v", which every source with that value implies. */
static solve_lit returns(struct strace_encode *x, uint32_t read, uint64_t value)
{
	struct strace_active *a = &x->active[read];
	struct strace_same same = {value, 0};
	uint64_t other;

	for (size_t i = 0; i < a->values.count; i++)
		if (a->values.items[i].value == value)
			return solve_pos(a->values.items[i].var);
	same.var = solve_formula_plain(&x->f, false);
	vec_push(&a->values, same);
	for (size_t i = 0; i < a->count; i++)
		if (is_constant(x, read, a->items[i].part, &other) && other == value)
			solve_formula_clause(&x->f,
					     (solve_lit[]){solve_not(solve_pos(a->items[i].rf)),
							   solve_pos(same.var)},
					     2);
	return solve_pos(same.var);
}

/* Every read the value of expr depended on in this run, through what it saw. */
static void add_cone(const struct strace_sim *s, uint32_t expr, bool *seen, struct strace_list *out)
{
	size_t n, from = out->count;
	const uint32_t *reads = reads_of(s->t, expr, &n);

	for (size_t i = 0; i < n; i++) {
		if (!seen[reads[i]]) {
			seen[reads[i]] = true;
			vec_push(out, reads[i]);
		}
	}
	for (; from < out->count; from++) {
		uint32_t source = s->source[out->items[from]];

		if (source == STRACE_NONE)
			continue;
		reads = reads_of(s->t, s->t->parts.items[source].value, &n);
		for (size_t i = 0; i < n; i++) {
			if (!seen[reads[i]]) {
				seen[reads[i]] = true;
				vec_push(out, reads[i]);
			}
		}
	}
}

/* A condition on one read: all constants that break it are ruled out at once. */
static void rule_out(struct strace_encode *x, const struct strace_condition *c, uint32_t read,
		     enum strace_family_name family)
{
	uint64_t *values = xcalloc(x->t->reads + 1, sizeof(*values));
	struct strace_active *a = &x->active[read];

	for (size_t i = 0; i < a->count; i++) {
		if (!is_constant(x, read, a->items[i].part, &values[read]))
			continue;
		if (x->t->values.begin)
			x->t->values.begin(x->t->values.arg);
		if (x->t->values.eval(x->t->values.arg, c->expr, values))
			continue;
		strace_encode_begin(x, family);
		strace_encode_add(x, solve_not(solve_pos(a->items[i].rf)));
		strace_encode_guard(x, c);
		strace_encode_end(x, family);
	}
	free(values);
}

void strace_encode_broken(struct strace_encode *x, const struct strace_sim *s, uint32_t condition)
{
	const struct strace_condition *c = &x->t->conditions.items[condition];
	enum strace_family_name family = c->why == STRACE_BUG ? STRACE_BY_BUG : STRACE_BY_PATH;
	bool *seen = xcalloc(x->t->reads + 1, sizeof(*seen));
	struct strace_list cone = {NULL, 0, 0}, direct = {NULL, 0, 0};
	uint64_t value;
	size_t n;

	reads_of(x->t, c->expr, &n);
	add_cone(s, c->expr, seen, &cone);
	for (size_t i = 0; i < cone.count; i++)
		activate(x, cone.items[i], s->source[cone.items[i]]);
	if (n == 1)
		rule_out(x, c, cone.items[0], family);
	for (size_t i = 0; i < cone.count; i++) {
		uint32_t r = cone.items[i];

		if (is_constant(x, r, s->source[r], &value))
			vec_push(&direct, returns(x, r, value));
		else
			vec_push(&direct, solve_pos(chosen(&x->active[r], s->source[r])->rf));
	}
	strace_encode_begin(x, family);
	for (size_t i = 0; i < direct.count; i++)
		strace_encode_add(x, solve_not(direct.items[i]));
	strace_encode_guard(x, c);
	strace_encode_end(x, family);
	vec_free(&cone);
	vec_free(&direct);
	free(seen);
}
