#include "explore/learn/fds.h"

#include <assert.h>

#include "explore/learn/intern.h"
#include "wire/fds_rules.h"

/* ---- numbers by hash ---- */

static uint64_t hash_of_blob(const struct learn_fds_blobs *b, uint32_t number)
{
	const struct learn_fds_blob *x = &b->items.items[number];

	return intern_hash_bytes(b->bytes.items + x->at, x->size);
}

static uint64_t hash_of_move(const struct learn_fds_move *m)
{
	return intern_hash(intern_hash(m->state + 1, m->call), 1);
}

static void place(struct learn_fds_index *x, uint64_t hash, uint32_t number)
{
	size_t at = hash & (x->capacity - 1);

	while (x->places[at])
		at = (at + 1) & (x->capacity - 1);
	x->places[at] = number + 1;
	x->used++;
}

/* Makes room for one more; true when everything has to be placed anew. */
static bool grow(struct learn_fds_index *x)
{
	if (x->used * 2 < x->capacity)
		return false;
	free(x->places);
	x->capacity = x->capacity ? x->capacity * 2 : 64;
	x->places = xcalloc(x->capacity, sizeof(*x->places));
	x->used = 0;
	return true;
}

/* ---- byte strings ---- */

static uint32_t keep(struct learn_fds_blobs *b, const uint8_t *bytes, size_t n)
{
	uint64_t hash = intern_hash_bytes(bytes, n);
	struct learn_fds_blob fresh = {b->bytes.count, n};
	uint32_t number = (uint32_t)b->items.count;

	if (grow(&b->index))
		for (uint32_t i = 0; i < number; i++)
			place(&b->index, hash_of_blob(b, i), i);
	for (size_t at = hash & (b->index.capacity - 1); b->index.places[at];
	     at = (at + 1) & (b->index.capacity - 1)) {
		const struct learn_fds_blob *x = &b->items.items[b->index.places[at] - 1];

		if (x->size == n && memcmp(b->bytes.items + x->at, bytes, n) == 0)
			return b->index.places[at] - 1;
	}
	vec_reserve(&b->bytes, b->bytes.count + n);
	memcpy(b->bytes.items + b->bytes.count, bytes, n);
	b->bytes.count += n;
	vec_push(&b->items, fresh);
	place(&b->index, hash, number);
	return number;
}

static void free_blobs(struct learn_fds_blobs *b)
{
	vec_free(&b->bytes);
	vec_free(&b->items);
	free(b->index.places);
}

/* ---- states ---- */

/* The parts of a world that its counts say are in use, as (place, bytes). */
static size_t parts_of(const struct fds_world *w, struct learn_fds_blob parts[5])
{
	parts[0] = (struct learn_fds_blob){0, offsetof(struct fds_world, file)};
	parts[1] = (struct learn_fds_blob){offsetof(struct fds_world, file),
					   w->files * sizeof(w->file[0])};
	parts[2] = (struct learn_fds_blob){offsetof(struct fds_world, queue),
					   w->queues * sizeof(w->queue[0])};
	parts[3] = (struct learn_fds_blob){offsetof(struct fds_world, watch),
					   w->watches * sizeof(w->watch[0])};
	parts[4] = (struct learn_fds_blob){offsetof(struct fds_world, bytes), w->content};
	return parts[0].size + parts[1].size + parts[2].size + parts[3].size + parts[4].size;
}

static uint32_t pack(struct learn_fds *f)
{
	struct learn_fds_blob parts[5];
	size_t n = parts_of(f->world, parts), at = 0;
	uint8_t *bytes = xcalloc(n, 1);
	uint32_t number;

	for (size_t i = 0; i < 5; i++) {
		memcpy(bytes + at, (const char *)f->world + parts[i].at, parts[i].size);
		at += parts[i].size;
	}
	number = keep(&f->states, bytes, n);
	free(bytes);
	return number;
}

static void unpack(struct learn_fds *f, uint32_t state)
{
	const struct learn_fds_blob *x = &f->states.items.items[state];
	const uint8_t *from = f->states.bytes.items + x->at;
	struct learn_fds_blob parts[5];

	memset(f->world, 0, offsetof(struct fds_world, bytes));
	memcpy(f->world, from, offsetof(struct fds_world, file));
	(void)parts_of(f->world, parts);
	for (size_t i = 0; i < 5; i++) {
		memcpy((char *)f->world + parts[i].at, from, parts[i].size);
		from += parts[i].size;
	}
	assert(from == f->states.bytes.items + x->at + x->size);
}

void learn_fds_init(struct learn_fds *f)
{
	uint32_t first;

	memset(f, 0, sizeof(*f));
	f->world = xcalloc(1, sizeof(*f->world));
	f->answer = xcalloc(1, FDS_CONTENT);
	first = pack(f);
	assert(first == 0);
	(void)first;
}

void learn_fds_fini(struct learn_fds *f)
{
	free_blobs(&f->states);
	free_blobs(&f->calls);
	vec_free(&f->moves);
	free(f->index.places);
	free(f->world);
	free(f->answer);
}

/* ---- calls ---- */

/* What the rules take for granted. */
static bool is_call(const struct fds_call *c, size_t n)
{
	if (c->op == 0 || c->op >= FDS_OPS || c->n != n - sizeof(*c) || c->n > FDS_CONTENT)
		return false;
	switch (c->op) {
	case FDS_DO_PAIR:
		return c->value >= FDS_STREAM && c->value <= FDS_DATAGRAM;
	case FDS_DO_COUNTER:
		return c->extra == FDS_COUNTER || c->extra == FDS_TOKENS;
	case FDS_DO_DUP2:
		return (uint32_t)c->to < FDS_NUMBERS;
	case FDS_DO_DUP:
		return c->value <= FDS_NUMBERS;
	case FDS_DO_WAIT:
		return c->value <= FDS_WATCHES;
	default:
		return true;
	}
}

uint32_t learn_fds_call(struct learn_fds *f, const uint8_t *bytes, size_t n)
{
	struct fds_call call;

	if (n < sizeof(call))
		return LEARN_FDS_NO_CALL;
	memcpy(&call, bytes, sizeof(call));
	return is_call(&call, n) ? keep(&f->calls, bytes, n) : LEARN_FDS_NO_CALL;
}

static struct fds_call call_of(const struct learn_fds *f, uint32_t number)
{
	struct fds_call call;

	assert(number < f->calls.items.count);
	memcpy(&call, f->calls.bytes.items + f->calls.items.items[number].at, sizeof(call));
	return call;
}

unsigned learn_fds_op(const struct learn_fds *f, uint32_t call)
{
	return call_of(f, call).op;
}

/* ---- moves ---- */

static struct learn_fds_move compute(struct learn_fds *f, uint32_t state, uint32_t number)
{
	struct fds_call call = call_of(f, number);
	const uint8_t *payload = f->calls.bytes.items + f->calls.items.items[number].at;
	struct learn_fds_move m = {.state = state, .call = number, .next = state};
	struct fds_answer a = {.bytes = f->answer};

	unpack(f, state);
	assert(call.n + sizeof(call) == f->calls.items.items[number].size);
	fds_do(f->world, &call, payload + sizeof(call), &a);
	m.blocks = a.result == FDS_BLOCKS;
	m.outcome = fds_outcome(&a);
	if (!m.blocks)
		m.next = pack(f);
	return m;
}

struct learn_fds_move learn_fds_move(struct learn_fds *f, uint32_t state, uint32_t call)
{
	struct learn_fds_move m = {.state = state, .call = call};
	uint64_t hash = hash_of_move(&m);

	assert(state < f->states.items.count);
	if (grow(&f->index))
		for (uint32_t i = 0; i < f->moves.count; i++)
			place(&f->index, hash_of_move(&f->moves.items[i]), i);
	for (size_t at = hash & (f->index.capacity - 1); f->index.places[at];
	     at = (at + 1) & (f->index.capacity - 1)) {
		const struct learn_fds_move *known = &f->moves.items[f->index.places[at] - 1];

		if (known->state == state && known->call == call)
			return *known;
	}
	m = compute(f, state, call);
	assert(m.next < f->states.items.count && m.outcome > 1);
	place(&f->index, hash, (uint32_t)f->moves.count);
	vec_push(&f->moves, m);
	return m;
}
