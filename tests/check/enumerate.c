/* The search over configurations. */
#include "enumerate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enumerate_priv.h"

/* Hashes of 64 bits: a collision is less likely than a broken machine. */
struct set {
	uint64_t *items;
	size_t room, count;
};

static struct config *stack;
static size_t stack_count;
static struct set seen, states, maps, told;
static int *ends; /* the nodes of each state */
/* Which configuration leads to which, and the one looked at; those in which nobody goes on. */
static uint64_t (*steps)[2], from;
static size_t step_count;
static struct set done;
static size_t end_count;
static int thread_count;

static uint64_t mix(uint64_t h, const int *words, int count)
{
	for (int i = 0; i < count; i++) {
		h = (h ^ (uint32_t)words[i]) * 0xff51afd7ed558ccd;
		h ^= h >> 29;
	}
	return h;
}

static uint64_t hash_nodes(const struct config *c)
{
	return mix(0x9e3779b97f4a7c15, c->nodes, thread_count) | 1;
}

static uint64_t hash_config(const struct config *c)
{
	uint64_t h = hash_nodes(c);

	/* Variables show up as threads get further; until then they are zero. */
	for (int i = 0; i < tree_locations(); i++)
		if (c->memory[i] || c->owner[i])
			h = mix(h, (const int[]){i, c->memory[i], c->owner[i]}, 3);
	h = mix(h, c->phase, thread_count);
	h = mix(h, c->buffered, thread_count);
	for (int t = 0; t < thread_count; t++)
		h = mix(h, &c->buffer[t][0].location, 2 * c->buffered[t]);
	return h | 1;
}

static bool set_has(const struct set *s, uint64_t item)
{
	size_t at = s->room ? item % s->room : 0;

	while (s->room && s->items[at] && s->items[at] != item)
		at = (at + 1) % s->room;
	return s->room && s->items[at];
}

static bool set_add(struct set *s, uint64_t item)
{
	if (2 * s->count >= s->room) {
		struct set bigger = {calloc(s->room ? 2 * s->room : 1024, sizeof(item)),
				     s->room ? 2 * s->room : 1024, 0};

		if (!bigger.items)
			exit(3);
		for (size_t i = 0; i < s->room; i++)
			if (s->items[i])
				set_add(&bigger, s->items[i]);
		free(s->items);
		*s = bigger;
	}
	for (size_t at = item % s->room;; at = (at + 1) % s->room) {
		if (s->items[at] == item)
			return false;
		if (!s->items[at]) {
			s->items[at] = item;
			return ++s->count;
		}
	}
}

static void set_clear(struct set *s)
{
	free(s->items);
	memset(s, 0, sizeof(*s));
}

static void note_step(const struct config *c)
{
	steps = grow(steps, step_count, sizeof(*steps));
	steps[step_count][0] = from;
	steps[step_count++][1] = hash_config(c);
}

void enumerate_push(const struct config *c)
{
	note_step(c);
	if (!set_add(&seen, hash_config(c)))
		return;
	stack = grow(stack, stack_count, sizeof(*stack));
	stack[stack_count++] = *c;
}

/* A configuration in which nobody can go on. */
static void finished(const struct config *c, struct enumerate_result *r, enumerate_visit_fn visit,
		     void *arg)
{
	int results[MAX_THREADS] = {0};
	bool stuck = false;

	if (!set_add(&states, hash_nodes(c)))
		return;
	for (int t = 0; t < thread_count; t++) {
		const struct node *n = tree_node(c->nodes[t]);

		stuck |= n->op != OP_END && c->phase[t] != PHASE_NOT_STARTED;
		results[t] = c->phase[t] == PHASE_NOT_STARTED ? 0 : n->value;
	}
	for (int t = 0; t < thread_count; t++) {
		ends = grow(ends, end_count, sizeof(*ends));
		ends[end_count++] = c->nodes[t];
	}
	r->stuck += stuck;
	if (visit)
		visit(arg, results, stuck);
}

static uint64_t hash_reads(uint64_t h, int node)
{
	for (int parent; (parent = tree_node(node)->parent) >= 0; node = parent)
		if (tree_is_read(parent))
			h = mix(h, (const int[]){tree_node(parent)->depth, tree_node(node)->result},
				2);
	return h;
}

static bool is_stuck(const int *at)
{
	for (int t = 0; t < thread_count; t++)
		if (tree_node(at[t])->op != OP_END)
			return true;
	return false;
}

static void count_maps(void)
{
	tree_find_shared();
	for (size_t i = 0; i < end_count; i += (size_t)thread_count) {
		uint64_t h = 1;

		for (int t = 0; t < thread_count; t++)
			h = hash_reads(mix(h, &t, 1), ends[i + (size_t)t]);
		set_add(&maps, h | 1);
		h = mix(h, &(int){is_stuck(&ends[i])}, 1);
		set_add(&told, h | 1);
	}
}

/* Whether threads may come to where they only go round: from there nobody gets to an end. */
static bool goes_round(void)
{
	bool more = tree_again();

	while (more) {
		more = false;
		for (size_t i = step_count; i-- > 0;)
			if (set_has(&done, steps[i][1]) && set_add(&done, steps[i][0]))
				more = true;
	}
	/* The first step leads to the beginning, from nowhere. */
	return tree_again() && done.count <= seen.count;
}

static void start(const struct enumerate_program *program)
{
	struct config c;

	memset(&c, 0, sizeof(c));
	tree_reset(program);
	set_clear(&seen);
	set_clear(&states);
	set_clear(&maps);
	set_clear(&told);
	set_clear(&done);
	step_count = 0;
	from = 1;
	end_count = stack_count = 0;
	thread_count = program->count;
	for (int t = 0; t < thread_count; t++) {
		c.nodes[t] = tree_root(t);
		c.phase[t] = t < program->roots ? PHASE_BEFORE : PHASE_NOT_STARTED;
	}
	enumerate_push(&c);
}

struct enumerate_result enumerate_run(const struct enumerate_program *program,
				      enum enumerate_model model, size_t most,
				      enumerate_visit_fn visit, void *arg)
{
	struct enumerate_result r = {.states = 0};

	limit(program->count > MAX_THREADS, "threads");
	start(program);
	while (stack_count && (most == 0 || seen.count < most)) {
		struct config c = stack[--stack_count];
		bool moved = false;

		from = hash_config(&c);
		for (int t = 0; t < thread_count; t++) {
			moved |= step_thread(&c, t, thread_count, model);
			moved |= step_flush(&c, t, model);
		}
		if (!moved) {
			finished(&c, &r, visit, arg);
			set_add(&done, from);
		}
	}
	r.stuck += stack_count == 0 && goes_round();
	r.states = states.count;
	count_maps();
	r.maps = maps.count;
	r.told = told.count;
	r.asserted = tree_asserted();
	r.complete = stack_count == 0;
	r.configurations = seen.count;
	return r;
}

struct checking {
	void (*check)(const int *results);
	size_t violations;
};

static void check_state(void *arg, const int *results, bool stuck)
{
	struct checking *c = arg;

	if (stuck)
		return;
	enumerate_was_violated();
	c->check(results);
	c->violations += enumerate_was_violated();
}

int enumerate_main(int argc, char **argv, const struct enumerate_program *program,
		   void (*check)(const int *))
{
	static const char *const names[] = {"sc", "tso", "pso"};
	struct checking c = {.check = check};
	enum enumerate_model model = SC;
	struct enumerate_result r;

	enumerate_spurious = argc == 3 && !strcmp(argv[2], "spurious");
	while (model < PSO && (argc < 2 || strcmp(argv[1], names[model])))
		model++;
	r = enumerate_run(program, model, 0, check_state, &c);
	printf("states=%zu violations=%zu stuck=%zu maps=%zu configurations=%zu\n", r.states,
	       c.violations, r.stuck, r.maps, r.configurations);
	return 0;
}
