/* The trees of local states of the threads. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "enumerate_priv.h"

static const struct enumerate_program *program;
static int *locations[MAX_LOCATIONS];
static bool shared[MAX_LOCATIONS];
static int location_count;
static struct node *nodes;
static int node_count;
static bool violated, asserted, again;

/* The body under way: results it gets, then where it stops. */
static struct {
	int results[MAX_DEPTH];
	int depth, at, node;
	jmp_buf leave;
} replay;

void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	items = realloc(items, (count ? 2 * count : 1) * size);
	if (!items)
		exit(3);
	return items;
}

void limit(bool reached, const char *what)
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

int enumerate_wait(enum enumerate_op op, int *condition, int *mutex)
{
	nodes[replay.node].expected = location_of(mutex);
	return enumerate_op(op, condition, 0);
}

int enumerate_round(void)
{
	return replay.at;
}

void enumerate_again(int round)
{
	enumerate_op(OP_AGAIN, NULL, round);
}

int enumerate_thread(void)
{
	return nodes[replay.node].thread;
}

void enumerate_violated(void)
{
	violated = true;
}

bool enumerate_was_violated(void)
{
	bool was = violated;

	violated = false;
	return was;
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
	if (setjmp(replay.leave))
		return;
	value = program->bodies[n->thread]();
	nodes[node].op = OP_END;
	nodes[node].value = value;
}

static int add_node(int thread, int parent, int result)
{
	struct node fresh = {.thread = thread, .parent = parent, .result = result, .child = -1};

	fresh.sibling = parent < 0 ? -1 : nodes[parent].child;
	fresh.depth = parent < 0 ? 0 : nodes[parent].depth + 1;
	nodes = grow(nodes, (size_t)node_count, sizeof(*nodes));
	if (parent >= 0)
		nodes[parent].child = node_count;
	nodes[node_count] = fresh;
	explore(node_count);
	asserted |= enumerate_was_violated();
	return node_count++;
}

int tree_root(int thread)
{
	return add_node(thread, -1, 0);
}

int tree_next(int node, int result)
{
	int next = nodes[node].child;

	while (next >= 0 && nodes[next].result != result)
		next = nodes[next].sibling;
	if (next < 0)
		next = add_node(nodes[node].thread, node, result);
	if (nodes[next].op != OP_AGAIN)
		return next;
	again = true;
	for (int depth = nodes[next].value; nodes[next].depth > depth;)
		next = nodes[next].parent;
	return next;
}

const struct node *tree_node(int node)
{
	return &nodes[node];
}

int tree_locations(void)
{
	return location_count;
}

int tree_initial(int location)
{
	return *locations[location];
}

static bool is_access(enum enumerate_op op)
{
	return op == OP_READ || op == OP_WRITE || op == OP_XCHG || op == OP_ADD || op == OP_CAS;
}

/* A variable that one thread alone touches, or that nobody writes, carries nothing. */
static bool is_shared(int location)
{
	bool written = false, many = false;
	int thread = -1;

	for (int i = 0; i < node_count; i++) {
		if (!is_access(nodes[i].op) || nodes[i].location != location)
			continue;
		written |= nodes[i].op != OP_READ;
		many |= thread >= 0 && thread != nodes[i].thread;
		thread = nodes[i].thread;
	}
	return written && many;
}

void tree_find_shared(void)
{
	for (int i = 0; i < location_count; i++)
		shared[i] = is_shared(i);
}

bool tree_is_read(int node)
{
	const struct node *n = &nodes[node];

	switch (n->op) {
	case OP_READ:
	case OP_XCHG:
	case OP_ADD:
	case OP_CAS:
		return shared[n->location];
	case OP_TRYLOCK:
	case OP_TIMEDWAIT:
	case OP_SEM_TRYWAIT:
	case OP_TRYRDLOCK:
	case OP_TRYWRLOCK:
	case OP_BARRIER:
		return true;
	default:
		return false;
	}
}

bool tree_again(void)
{
	return again;
}

bool tree_asserted(void)
{
	return asserted;
}

void tree_reset(const struct enumerate_program *p)
{
	program = p;
	node_count = location_count = 0;
	violated = asserted = again = false;
}
