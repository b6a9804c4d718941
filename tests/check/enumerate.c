#include "enumerate.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 8
#define MAX_LOCATIONS 16
#define MAX_BUFFERED 32
#define MAX_DEPTH 64
#define FREE (-1)

enum model { SC, TSO, PSO };

/* A local state of a thread, and what it does there. */
struct node {
	int thread, parent, depth;
	int result; /* of the parent's operation */
	int child, sibling;
	bool known;
	enum enumerate_op op;
	int expected; /* by OP_CAS */
	int location, value; /* OP_END: value is what the body returned */
};

struct store {
	int location;
	int value;
};

struct config {
	int nodes[MAX_THREADS];
	int memory[MAX_LOCATIONS];
	int owner[MAX_LOCATIONS];
	int buffered[MAX_THREADS];
	struct store buffer[MAX_THREADS][MAX_BUFFERED];
};

static int (*const *bodies)(void);
static int thread_count;
static enum model model;
static int *locations[MAX_LOCATIONS];
static int location_count;
static struct node *nodes;
static int node_count;
static uint64_t violations, stuck;
static bool violated;

static void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	items = realloc(items, (count ? 2 * count : 1) * size);
	if (!items)
		exit(3);
	return items;
}

static void limit(bool reached, const char *what)
{
	if (!reached)
		return;
	fprintf(stderr, "enumerate: more %s than there is room for\n", what);
	exit(3);
}

static int location_of(int *address)
{
	int i = 0;

	while (i < location_count && locations[i] != address)
		i++;
	limit(i == MAX_LOCATIONS, "variables");
	if (i == location_count)
		locations[location_count++] = address;
	return i;
}

/* ---- threads ---- */

static struct {
	int results[MAX_DEPTH];
	int depth, at, node;
	jmp_buf leave;
} replay;

int enumerate_op(enum enumerate_op op, int *location, int value)
{
	struct node *n = &nodes[replay.node];

	if (replay.at < replay.depth)
		return replay.results[replay.at++];
	n->op = op;
	n->location = location ? location_of(location) : 0;
	n->value = value;
	longjmp(replay.leave, 1);
}

int enumerate_cas(int *location, int old, int fresh)
{
	nodes[replay.node].expected = old;
	return enumerate_op(OP_CAS, location, fresh);
}

/* Finds out what the thread does at this node. */
static void explore(int node)
{
	struct node *n = &nodes[node];
	int value;

	limit(n->depth > MAX_DEPTH, "operations");
	replay.depth = n->depth;
	replay.at = 0;
	replay.node = node;
	for (int i = node, at = n->depth; at > 0; i = nodes[i].parent)
		replay.results[--at] = nodes[i].result;
	n->known = true;
	if (setjmp(replay.leave))
		return;
	value = bodies[n->thread]();
	nodes[node].op = OP_END;
	nodes[node].value = value;
}

static int add_node(int thread, int parent, int result)
{
	struct node fresh = { .thread = thread, .parent = parent, .result = result, .child = -1 };

	fresh.sibling = parent < 0 ? -1 : nodes[parent].child;
	fresh.depth = parent < 0 ? 0 : nodes[parent].depth + 1;
	nodes = grow(nodes, (size_t)node_count, sizeof(*nodes));
	if (parent >= 0)
		nodes[parent].child = node_count;
	nodes[node_count] = fresh;
	explore(node_count);
	return node_count++;
}

/* The node after the operation at `node' gave this result. */
static int next_node(int node, int result)
{
	for (int i = nodes[node].child; i >= 0; i = nodes[i].sibling)
		if (nodes[i].result == result)
			return i;
	return add_node(nodes[node].thread, node, result);
}

/* ---- sets of hashes (64 bits: a collision is less likely than a broken machine) ---- */

struct set {
	uint64_t *items;
	size_t room, count;
};

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
	uint64_t h = mix(hash_nodes(c), c->memory, location_count);

	h = mix(h, c->owner, location_count);
	h = mix(h, c->buffered, thread_count);
	for (int t = 0; t < thread_count; t++)
		h = mix(h, &c->buffer[t][0].location, 2 * c->buffered[t]);
	return h | 1;
}

static bool set_add(struct set *s, uint64_t item)
{
	if (2 * s->count >= s->room) {
		struct set bigger = { calloc(s->room ? 2 * s->room : 1024, sizeof(item)),
				      s->room ? 2 * s->room : 1024, 0 };

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

/* ---- the search ---- */

static struct config *stack;
static size_t stack_count;
static struct set seen, states;

static void push(const struct config *c)
{
	if (!set_add(&seen, hash_config(c)))
		return;
	stack = grow(stack, stack_count, sizeof(*stack));
	stack[stack_count++] = *c;
}

/* A thread reads its own newest store, or the memory. */
static int load(const struct config *c, int t, int location)
{
	for (int i = c->buffered[t]; i-- > 0;)
		if (c->buffer[t][i].location == location)
			return c->buffer[t][i].value;
	return c->memory[location];
}

static void store(struct config *c, int t, int location, int value)
{
	if (model == SC) {
		c->memory[location] = value;
		return;
	}
	limit(c->buffered[t] == MAX_BUFFERED, "buffered stores");
	c->buffer[t][c->buffered[t]++] =
		(struct store){ .location = location, .value = value };
}

static bool is_blocked(const struct config *c, int t, const struct node *n)
{
	if (n->op == OP_END)
		return true;
	if (n->op == OP_LOCK && c->owner[n->location] != FREE)
		return true;
	return n->op != OP_READ && n->op != OP_WRITE && c->buffered[t] > 0;
}

static bool is_update(enum enumerate_op op)
{
	return op == OP_XCHG || op == OP_ADD || op == OP_CAS;
}

/* What an update leaves where `old' was. */
static int updated(const struct node *n, int old)
{
	if (n->op == OP_ADD)
		return old + n->value;
	return n->op == OP_CAS && old != n->expected ? old : n->value;
}

/* Thread t performs its operation. */
static bool step(struct config c, int t)
{
	struct node n = nodes[c.nodes[t]];
	int result = 0;

	if (is_blocked(&c, t, &n))
		return false;
	if (n.op == OP_READ || is_update(n.op))
		result = load(&c, t, n.location);
	if (n.op == OP_WRITE)
		store(&c, t, n.location, n.value);
	else if (is_update(n.op))
		c.memory[n.location] = updated(&n, result);
	else if (n.op == OP_LOCK || n.op == OP_UNLOCK)
		c.owner[n.location] = n.op == OP_LOCK ? t : FREE;
	c.nodes[t] = next_node(c.nodes[t], result);
	push(&c);
	return true;
}

/* Store number i of thread t reaches memory, if nothing older keeps it back. */
static bool flush(struct config c, int t, int i)
{
	struct store s = c.buffer[t][i];
	int last = c.buffered[t] - 1;

	for (int k = 0; k < i; k++)
		if (model == TSO || c.buffer[t][k].location == s.location)
			return false;
	c.memory[s.location] = s.value;
	memmove(&c.buffer[t][i], &c.buffer[t][i + 1], (size_t)(last - i) * sizeof(s));
	c.buffered[t]--;
	push(&c);
	return true;
}

static void finished(const struct config *c, void (*check)(const int *))
{
	int results[MAX_THREADS] = { 0 };

	for (int t = 0; t < thread_count; t++) {
		stuck += nodes[c->nodes[t]].op != OP_END;
		results[t] = nodes[c->nodes[t]].value;
	}
	if (!set_add(&states, hash_nodes(c)))
		return;
	violated = false;
	check(results);
	violations += violated;
}

static void search(void (*check)(const int *))
{
	while (stack_count) {
		struct config c = stack[--stack_count];
		bool moved = false;

		for (int t = 0; t < thread_count; t++) {
			moved |= step(c, t);
			for (int i = 0; i < c.buffered[t]; i++)
				moved |= flush(c, t, i);
		}
		if (!moved)
			finished(&c, check);
	}
}

void enumerate_violated(void)
{
	violated = true;
}

static void set_initial(struct config *c)
{
	memset(c, 0, sizeof(*c));
	for (int i = 0; i < MAX_LOCATIONS; i++)
		c->owner[i] = FREE;
	for (int t = 0; t < thread_count; t++)
		c->nodes[t] = add_node(t, -1, 0);
	for (int i = 0; i < location_count; i++)
		c->memory[i] = *locations[i];
}

int enumerate(int argc, char **argv, int (*const *program)(void), int count,
	      void (*check)(const int *))
{
	static const char *const names[] = { "sc", "tso", "pso" };
	struct config c;
	int known;

	while (model < PSO && (argc != 2 || strcmp(argv[1], names[model])))
		model++;
	limit(count > MAX_THREADS, "threads");
	bodies = program;
	thread_count = count;
	/* Variables show up as threads get further; values of late ones are needed from the start. */
	do {
		known = location_count;
		node_count = 0;
		stack_count = 0;
		violations = stuck = 0;
		memset(seen.items, 0, seen.room * sizeof(*seen.items));
		memset(states.items, 0, states.room * sizeof(*states.items));
		seen.count = states.count = 0;
		set_initial(&c);
		push(&c);
		search(check);
	} while (known != location_count);
	printf("states=%zu violations=%llu stuck=%llu configurations=%zu\n", states.count,
	       (unsigned long long)violations, (unsigned long long)stuck, seen.count);
	return 0;
}
