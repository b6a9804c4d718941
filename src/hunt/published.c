/*
 * The search in the order of the publication (Machado, "Finding and fixing concurrency bugs", 5.3):
 * every recorded run and assertion by schedules alone; then, around each run that passed and each
 * assertion, the D branches nearest to it in a schedule that passes, flipped one by one, in pairs,
 * in triples, by the sum of their ranks.  A flipped path is one that some run or try has shown, or
 * is made: executed up to the flip and free behind it.
 *
 * Without bounds of the user D and N grow from level to level.  Outcomes are left as they are, and
 * addresses that a path knows, so what it proves is less than the search by default does.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "hunt/okay.h"
#include "hunt/search_priv.h"
#include "hunt/subsets.h"

#define MAX_TUPLES 4096 /* looked at to find the shortest */
#define MAX_MADE 64	/* executions to make paths for one prefix */
#define MAX_ROUNDS 3
#define MAX_INSTRUCTIONS UINT64_C(20000000)

/* ---- paths that were seen ---- */

struct tries {
	VEC_FIELDS(struct hunt_path);
};

/* A run around which it is searched. */
struct base {
	struct hunt_exec x;
	uint32_t run;
};

/* What may fail: an assertion of a thread, or one that it did not come to. */
struct target {
	struct hunt_target at;
	uint32_t site; /* SYMEX_NONE: behind its end */
};

struct published {
	struct hunt_search *s;
	struct tries tries;
	VEC(struct base) bases;
	uint32_t max_flips, max_traces; /* D and N of this level */
};

static bool same_ways(const struct hunt_path *a, const struct hunt_path *b, size_t n)
{
	if (a->ways.count < n || b->ways.count < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (a->ways.items[i].unit != b->ways.items[i].unit ||
		    a->ways.items[i].point != b->ways.items[i].point ||
		    a->ways.items[i].value != b->ways.items[i].value)
			return false;
	return true;
}

static void add_path(struct tries *to, const struct hunt_path *p)
{
	struct hunt_paths one = {(struct hunt_path *)p, 1, 1}, copy;

	for (size_t i = 0; i < to->count; i++)
		if (to->items[i].key == p->key && to->items[i].ways.count == p->ways.count &&
		    hunt_path_hash(&to->items[i], p->ways.count) ==
			    hunt_path_hash(p, p->ways.count) &&
		    same_ways(&to->items[i], p, p->ways.count))
			return;
	hunt_paths_copy(&copy, &one);
	vec_push(to, copy.items[0]);
	vec_free(&copy);
}

static void free_tries(struct tries *t)
{
	for (size_t i = 0; i < t->count; i++) {
		vec_free(&t->items[i].ways);
		vec_free(&t->items[i].picks);
	}
	vec_free(t);
}

/* ---- candidates for one thread ---- */

struct candidates {
	VEC(size_t) paths; /* numbers in the tries, shortest first */
};

static size_t length(const struct published *p, size_t path)
{
	return p->tries.items[path].ways.count;
}

/* Those of the thread that begin like the prefix, shortest first, N at most. */
static void find(const struct published *p, const struct hunt_path *prefix, struct candidates *out)
{
	vec_clear(&out->paths);
	for (size_t i = 0; i < p->tries.count; i++)
		if (p->tries.items[i].key == prefix->key &&
		    same_ways(&p->tries.items[i], prefix, prefix->ways.count)) {
			size_t at = out->paths.count;

			vec_push(&out->paths, i);
			for (; at && length(p, out->paths.items[at - 1]) > length(p, i); at--)
				out->paths.items[at] = out->paths.items[at - 1];
			out->paths.items[at] = i;
		}
	if (out->paths.count > p->max_traces)
		out->paths.count = p->max_traces;
}

/* The combination with one path in place of the thread's own. */
static void replace(struct hunt_paths *paths, const struct hunt_path *with)
{
	struct hunt_paths one = {(struct hunt_path *)with, 1, 1}, copy;
	struct hunt_path *mine = hunt_paths_get(paths, with->key);

	hunt_paths_copy(&copy, &one);
	vec_free(&mine->ways);
	vec_free(&mine->picks);
	*mine = copy.items[0];
	vec_free(&copy);
}

/* Executes the base with the prefix in the thread's place; its path goes to the tries. */
static bool make_one(struct published *p, const struct base *b, const struct hunt_path *prefix,
		     struct hunt_paths *out)
{
	struct hunt_exec_opts o = {.program = &p->s->program,
				   .run = &p->s->runs.items[b->run]->source,
				   .max_rounds = MAX_ROUNDS,
				   .max_instructions = MAX_INSTRUCTIONS,
				   .limit = &p->s->limit};
	struct hunt_paths paths;
	struct hunt_path *mine;
	struct hunt_exec x;
	struct err e = ERR_INIT;

	hunt_paths_copy(&paths, &b->x.paths);
	replace(&paths, prefix);
	o.paths = &paths;
	if (hunt_execute(&o, &x, &e) != 0) {
		hunt_paths_fini(&paths);
		return false;
	}
	mine = hunt_paths_find(&x.paths, prefix->key);
	if (mine && same_ways(mine, prefix, prefix->ways.count)) {
		add_path(&p->tries, mine);
		vec_push(out, *mine);
		*mine = (struct hunt_path){.key = 0};
	}
	hunt_exec_fini(&x);
	hunt_paths_fini(&paths);
	return true;
}

/* Breadth first: what stands behind the prefix goes either way, one branch after the other. */
static void make(struct published *p, const struct base *b, const struct hunt_path *prefix)
{
	struct hunt_paths made = VEC_INIT, more;
	struct hunt_paths one = {(struct hunt_path *)prefix, 1, 1};
	size_t fresh = p->tries.count;

	if (!make_one(p, b, prefix, &made))
		return;
	for (size_t i = 0, n = 1; i < made.count && n < MAX_MADE; i++) {
		for (size_t w = prefix->ways.count; w < made.items[i].ways.count; w++) {
			const struct hunt_way *way = &made.items[i].ways.items[w];

			if (p->tries.count - fresh >= p->max_traces || n++ >= MAX_MADE ||
			    limit_reached(&p->s->limit) != LIMIT_NONE)
				break;
			if (!way->expr || way->ask != SYMEX_ASK_BRANCH)
				continue;
			one.items = &made.items[i];
			hunt_paths_copy(&more, &one);
			hunt_path_cut(&more.items[0], w + 1);
			more.items[0].ways.items[w].value = !more.items[0].ways.items[w].value;
			(void)make_one(p, b, &more.items[0], &made);
			hunt_paths_fini(&more);
		}
	}
	hunt_paths_fini(&made);
}

/* The thread's path up to the last of its flips, with all of them; false when it has none. */
static bool prefix_of(const struct hunt_exec *x, uint32_t thread, const struct hunt_branch *b,
		      const size_t *chosen, size_t n, struct hunt_paths *out)
{
	size_t ways[HUNT_SUBSET_MAX], flips = 0;

	for (size_t i = 0; i < n; i++)
		if (b[chosen[i]].thread == thread)
			ways[flips++] = b[chosen[i]].way;
	if (!flips)
		return false;
	hunt_path_flipped(&x->paths.items[thread], ways, flips, out);
	return true;
}

/* ---- one set of flips ---- */

struct tuple {
	size_t ways;
	size_t pick[64]; /* by affected thread */
};

struct tuples {
	VEC_FIELDS(struct tuple);
};

static int by_ways(const void *a, const void *b)
{
	const struct tuple *x = a, *y = b;

	return x->ways < y->ways ? -1 : x->ways > y->ways;
}

/* Every combination of candidates, the shortest first. */
static void combine(const struct published *p, const struct candidates *c, size_t threads,
		    struct tuples *out)
{
	struct tuple t = {0, {0}};
	size_t at;

	do {
		t.ways = 0;
		for (size_t i = 0; i < threads; i++)
			t.ways += length(p, c[i].paths.items[t.pick[i]]);
		vec_push(out, t);
		for (at = 0; at < threads && ++t.pick[at] == c[at].paths.count; at++)
			t.pick[at] = 0;
	} while (at < threads && out->count < MAX_TUPLES);
	qsort(out->items, out->count, sizeof(out->items[0]), by_ways);
}

static void say_flips(const struct published *p, const struct base *b,
		      const struct hunt_branch *branches, const size_t *chosen, size_t n, bool made,
		      struct strbuf *to)
{
	for (size_t i = 0; i < n; i++) {
		const struct hunt_branch *br = &branches[chosen[i]];
		uint32_t site = b->x.paths.items[br->thread].ways.items[br->way].site;
		const struct trace_site *s = trace_sites_find(&p->s->sites, site);

		strbuf_add(to, i ? "," : "");
		if (s)
			trace_site_place(s, true, to);
	}
	strbuf_addf(to, "\t%s", made ? "synthesised" : "found");
}

static void try_tuples(struct published *p, const struct base *b, const struct candidates *c,
		       size_t threads, size_t flips, const char *what)
{
	struct tuples all = {NULL, 0, 0};

	combine(p, c, threads, &all);
	for (size_t i = 0; i < all.count && i < p->max_traces; i++) {
		struct hunt_node n = {.run = b->run, .flips = (uint32_t)flips, .what = what};
		struct hunt_exec x;

		if (limit_reached(&p->s->limit) != LIMIT_NONE)
			break;
		hunt_paths_copy(&n.paths, &b->x.paths);
		for (size_t t = 0; t < threads; t++)
			replace(&n.paths, &p->tries.items[c[t].paths.items[all.items[i].pick[t]]]);
		if (hunt_visit_node(p->s, &n, &x)) {
			for (size_t t = 0; t < x.paths.count; t++)
				add_path(&p->tries, &x.paths.items[t]);
			hunt_exec_fini(&x);
			/* Pointers that a thread followed are no flips. */
			hunt_search_drain(p->s);
		}
		hunt_paths_fini(&n.paths);
	}
	vec_free(&all);
}

/* The branches chosen[0..n) the other way, all others of their threads as they come. */
static void flip(struct published *p, const struct base *b, const struct hunt_branch *branches,
		 const size_t *chosen, size_t n)
{
	struct candidates c[64] = {{VEC_INIT}};
	size_t threads = 0;
	bool made = false, void_ = false;
	struct strbuf what = STRBUF_INIT;

	for (uint32_t t = 0; t < b->x.paths.count && t < 64 && !void_; t++) {
		struct hunt_paths prefix;

		if (!prefix_of(&b->x, t, branches, chosen, n, &prefix))
			continue;
		find(p, &prefix.items[0], &c[threads]);
		if (!c[threads].paths.count) {
			made = true;
			make(p, b, &prefix.items[0]);
		}
		hunt_paths_fini(&prefix);
		threads++;
	}
	/* What was made for one thread may have moved what was found for another. */
	threads = 0;
	for (uint32_t t = 0; t < b->x.paths.count && t < 64; t++) {
		struct hunt_paths prefix;

		if (!prefix_of(&b->x, t, branches, chosen, n, &prefix))
			continue;
		find(p, &prefix.items[0], &c[threads]);
		void_ |= !c[threads++].paths.count;
		hunt_paths_fini(&prefix);
	}
	say_flips(p, b, branches, chosen, n, made, &what);
	if (!void_ && threads)
		try_tuples(p, b, c, threads, n, what.text);
	strbuf_free(&what);
	for (size_t i = 0; i < 64; i++)
		vec_free(&c[i].paths);
}

/* ---- all sets of flips ---- */

struct around {
	struct published *p;
	const struct base *b;
	const struct hunt_branch *branches;
	uint32_t site; /* SYMEX_NONE: any */
	size_t found;  /* before */
};

static bool flip_set(void *arg, const size_t *ranks, size_t n)
{
	struct around *u = arg;

	if (limit_reached(&u->p->s->limit) != LIMIT_NONE ||
	    (u->site != SYMEX_NONE ? hunt_is_found(u->p->s, u->site)
				   : u->p->s->found.count > u->found))
		return false;
	flip(u->p, u->b, u->branches, ranks, n);
	return true;
}

static void flip_around(struct published *p, const struct base *b, const struct target *target,
			const struct hunt_branches *branches)
{
	size_t nearest = branches->count < p->max_flips ? branches->count : p->max_flips;
	struct around u = {p, b, branches->items, target->site, p->s->found.count};

	(void)hunt_subsets(nearest < HUNT_SUBSET_MAX ? nearest : HUNT_SUBSET_MAX, flip_set, &u);
}

/* ---- assertions ---- */

struct targets {
	VEC_FIELDS(struct target);
};

static void add_branches(struct hunt_visit *v, struct hunt_branches *branches,
			 struct targets *targets)
{
	for (uint32_t t = 0; t < v->x.paths.count; t++) {
		const struct symex_thread *th = &v->x.trace.threads.items[t];
		bool depends = false;

		for (size_t i = 0; i < v->x.paths.items[t].ways.count; i++) {
			const struct hunt_way *w = &v->x.paths.items[t].ways.items[i];
			const struct symex_condition *c;
			uint32_t site;

			if (!hunt_may_flip(v, t, i, &site))
				continue;
			c = &th->conditions.items[w->condition];
			depends |= site == SYMEX_NONE;
			if (site == SYMEX_NONE)
				vec_push(branches, ((struct hunt_branch){.thread = t, .way = i}));
			else
				vec_push(targets, ((struct target){{t, c->event, c->expr}, site}));
		}
		/* It may come to others that it did not come to. */
		if (depends && symex_program_may_fail(v->s->program.p, th->routine))
			vec_push(targets,
				 ((struct target){{t, (uint32_t)th->events.count, 0}, SYMEX_NONE}));
	}
}

static void search_around(struct published *p, struct base *b)
{
	struct hunt_node node = {.run = b->run};
	struct hunt_visit v = {.s = p->s, .node = &node, .x = b->x};
	struct hunt_branches branches = {NULL, 0, 0}, near;
	struct targets targets = {NULL, 0, 0};

	add_branches(&v, &branches, &targets);
	for (size_t i = 0; i < targets.count; i++) {
		const struct target *t = &targets.items[i];

		if (limit_reached(&p->s->limit) != LIMIT_NONE)
			break;
		if (t->site != SYMEX_NONE && hunt_is_found(p->s, t->site))
			continue;
		near = (struct hunt_branches){NULL, 0, 0};
		for (size_t k = 0; k < branches.count; k++)
			vec_push(&near, branches.items[k]);
		if (hunt_okay(&b->x, &t->at, &p->s->limit, &near) == SOLVE_SAT)
			flip_around(p, b, t, &near);
		vec_free(&near);
	}
	vec_free(&branches);
	vec_free(&targets);
}

/* ---- the search ---- */

static void add_bases(struct published *p)
{
	for (uint32_t i = 0; i < p->s->runs.count; i++) {
		struct hunt_node n = {.run = i, .observed = true};
		struct base b = {.run = i};

		if (limit_reached(&p->s->limit) != LIMIT_NONE || !hunt_visit_node(p->s, &n, &b.x))
			continue;
		for (size_t t = 0; t < b.x.paths.count; t++)
			add_path(&p->tries, &b.x.paths.items[t]);
		hunt_exec_fini(&b.x);
		vec_push(&p->bases, b);
	}
	hunt_search_drain(p->s);
}

/* Again, because more is known to be shared since then. */
static bool execute_base(struct published *p, struct base *b)
{
	struct hunt_exec_opts o = {.program = &p->s->program,
				   .run = &p->s->runs.items[b->run]->source,
				   .max_rounds = MAX_ROUNDS,
				   .max_instructions = MAX_INSTRUCTIONS,
				   .limit = &p->s->limit};
	struct err e = ERR_INIT;

	return limit_reached(&p->s->limit) == LIMIT_NONE && hunt_execute(&o, &b->x, &e) == 0;
}

void hunt_published(struct hunt_search *s)
{
	static const uint32_t levels[][2] = {{1, 1}, {2, 2}, {3, 4}, {5, 4}, {8, 8}, {11, 16}};
	size_t n = s->o.max_flips || s->o.max_traces ? 1 : sizeof(levels) / sizeof(levels[0]);
	struct published p = {.s = s};

	assert(s->o.published);
	/* A node has as many flips as its set; nothing else bounds them. */
	add_bases(&p);
	for (size_t level = 0; level < n && limit_reached(&s->limit) == LIMIT_NONE; level++) {
		p.max_flips = n > 1 ? levels[level][0] : s->o.max_flips ? s->o.max_flips : 5;
		p.max_traces = n > 1 ? levels[level][1] : s->o.max_traces ? s->o.max_traces : 4;
		for (size_t i = 0; i < p.bases.count; i++)
			if (execute_base(&p, &p.bases.items[i])) {
				search_around(&p, &p.bases.items[i]);
				hunt_exec_fini(&p.bases.items[i].x);
			}
	}
	/* Branches further away, addresses and outcomes were left as they are. */
	s->cut = true;
	vec_free(&p.bases);
	free_tries(&p.tries);
}
