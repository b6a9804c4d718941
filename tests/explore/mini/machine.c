#include "machine.h"

#include <assert.h>
#include <string.h>

static uint64_t mix(uint64_t h, uint64_t v)
{
	h ^= v + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ (h >> 29);
}

static uint64_t past_add(uint64_t past, uint32_t index, uint64_t value)
{
	return mix(mix(past, index + 1), value);
}

static int32_t pop(struct mini_thread *t)
{
	assert(t->sp > 0);
	return t->stack[--t->sp];
}

static void push(struct mini_thread *t, int32_t v)
{
	assert(t->sp < MINI_STACK);
	t->stack[t->sp++] = v;
}

static int32_t binary(unsigned code, int32_t a, int32_t b)
{
	switch (code) {
	case MINI_ADD:
		return a + b;
	case MINI_SUB:
		return a - b;
	case MINI_MUL:
		return a * b;
	case MINI_EQ:
		return a == b;
	case MINI_NE:
		return a != b;
	case MINI_LT:
		return a < b;
	case MINI_LE:
		return a <= b;
	case MINI_GT:
		return a > b;
	default:
		return a >= b;
	}
}

/* One instruction that is no shared operation. */
static void silent(struct mini_state *s, struct mini_thread *t, const struct mini_instr *in)
{
	int32_t a, b;

	t->pc++;
	switch (in->code) {
	case MINI_PUSH:
		push(t, in->arg);
		break;
	case MINI_LOCAL:
		push(t, t->locals[in->arg]);
		break;
	case MINI_SET:
		t->locals[in->arg] = pop(t);
		break;
	case MINI_POP:
		pop(t);
		break;
	case MINI_INC:
		push(t, t->locals[in->arg]++);
		break;
	case MINI_NOT:
		push(t, !pop(t));
		break;
	case MINI_JUMP:
		t->pc = (uint16_t)in->arg;
		break;
	case MINI_JZERO:
		if (!pop(t))
			t->pc = (uint16_t)in->arg;
		break;
	case MINI_ASSERT:
		s->errors += !pop(t);
		break;
	case MINI_ASSUME:
		t->ended = !pop(t);
		break;
	case MINI_ERROR:
		s->errors++;
		break;
	case MINI_STOP:
		t->ended = 1;
		break;
	default:
		b = pop(t);
		a = pop(t);
		push(t, binary(in->code, a, b));
	}
}

/* Runs a thread up to its next shared operation. */
static void settle(struct mini_state *s, const struct mini_program *p, unsigned n)
{
	struct mini_thread *t = &s->threads[n];
	unsigned steps = 0;

	while (!t->ended && p->code[n].items[t->pc].code < MINI_READ) {
		assert(++steps < 10000);
		silent(s, t, &p->code[n].items[t->pc]);
	}
}

void mini_start(struct mini_state *s, const struct mini_program *p)
{
	memset(s, 0, sizeof(*s));
	memcpy(s->memory, p->initial, sizeof(s->memory));
	memset(s->owner, -1, sizeof(s->owner));
	for (unsigned t = 0; t < p->threads; t++) {
		s->threads[t].begun = !p->late[t];
		s->threads[t].ended = p->late[t];
		settle(s, p, t);
	}
}

static unsigned operands(unsigned code)
{
	switch (code) {
	case MINI_READ:
		return 0;
	case MINI_CAS:
		return 2;
	default:
		return 1;
	}
}

static unsigned variable(const struct mini_program *p, const struct mini_thread *t,
			 const struct mini_instr *in)
{
	int32_t index = 0;

	if (in->indexed)
		index = t->stack[t->sp - 1 - (int)operands(in->code)];
	assert(index >= 0 && index < (int32_t)p->sizes[in->arg]);
	return (unsigned)(in->arg + index);
}

bool mini_next(const struct mini_state *s, const struct mini_program *p, unsigned n,
	       struct solve_event *e)
{
	const struct mini_thread *t = &s->threads[n];
	const struct mini_instr *in = &p->code[n].items[t->pc];

	if (t->ended)
		return false;
	*e = (struct solve_event){.thread = n, .index = t->index, .site = MINI_SITE(n, t->pc)};
	switch (in->code) {
	case MINI_READ:
		e->op = SOLVE_READ;
		break;
	case MINI_WRITE:
		e->op = SOLVE_WRITE;
		e->writes = true;
		e->written = (uint64_t)t->stack[t->sp - 1];
		break;
	case MINI_LOCK:
	case MINI_UNLOCK:
		e->op = in->code == MINI_LOCK ? SOLVE_LOCK : SOLVE_UNLOCK;
		e->object = MINI_LOCK_OBJECT + (uint64_t)in->arg;
		return true;
	case MINI_FORK:
	case MINI_JOIN:
		e->op = in->code == MINI_FORK ? SOLVE_FORK : SOLVE_JOIN;
		e->object = (uint64_t)in->arg;
		return true;
	case MINI_FENCE:
	case MINI_END:
		e->op = in->code == MINI_FENCE ? SOLVE_FENCE : SOLVE_END;
		return true;
	default:
		e->op = SOLVE_RMW;
	}
	e->object = variable(p, t, in);
	return true;
}

bool mini_enabled(const struct mini_state *s, const struct mini_program *p, unsigned n)
{
	const struct mini_thread *t = &s->threads[n];
	const struct mini_instr *in = &p->code[n].items[t->pc];

	if (t->ended)
		return false;
	if (in->code == MINI_LOCK && s->owner[in->arg] >= 0)
		return false;
	if (in->code == MINI_JOIN && !(s->threads[in->arg].begun && s->threads[in->arg].ended))
		return false;
	return in->code == MINI_READ || in->code == MINI_WRITE || !t->buffered;
}

static int32_t load(const struct mini_state *s, const struct mini_thread *t, unsigned var)
{
	for (int i = t->buffered - 1; i >= 0; i--) {
		if (t->buffer[i].var == var)
			return t->buffer[i].value;
	}
	return s->memory[var];
}

static void store(struct mini_state *s, struct mini_thread *t, const struct solve_event *e,
		  bool commit)
{
	if (commit) {
		s->memory[e->object] = (int32_t)e->written;
		return;
	}
	assert(t->buffered < MINI_BUFFER);
	t->buffer[t->buffered++] = (struct mini_store){.index = (uint16_t)e->index,
						       .pc = (uint16_t)e->site,
						       .var = (uint8_t)e->object,
						       .value = (int32_t)e->written};
}

static void modify(struct mini_state *s, struct mini_thread *t, unsigned code,
		   struct solve_event *e)
{
	int32_t old = (int32_t)e->value, operand = pop(t);

	e->writes = true;
	if (code == MINI_FETCH_ADD)
		operand += old;
	else if (code == MINI_CAS)
		e->writes = pop(t) == old;
	if (e->writes) {
		e->written = (uint64_t)operand;
		s->memory[e->object] = operand;
	}
}

void mini_step(struct mini_state *s, const struct mini_program *p, unsigned n, bool commit,
	       struct solve_event *e)
{
	struct mini_thread *t = &s->threads[n];
	const struct mini_instr *in = &p->code[n].items[t->pc];

	assert(mini_enabled(s, p, n));
	mini_next(s, p, n, e);
	if (solve_event_reads(e)) {
		e->value = (uint64_t)load(s, t, (unsigned)e->object);
		t->past = past_add(t->past, e->index, e->value);
	}
	if (e->op == SOLVE_WRITE) {
		pop(t);
		store(s, t, e, commit);
	} else if (e->op == SOLVE_RMW) {
		modify(s, t, in->code, e);
	} else if (e->op == SOLVE_LOCK) {
		s->owner[in->arg] = (int8_t)n;
	} else if (e->op == SOLVE_UNLOCK) {
		assert(s->owner[in->arg] == (int8_t)n);
		s->owner[in->arg] = -1;
	} else if (e->op == SOLVE_FORK) {
		assert(!s->threads[in->arg].begun);
		s->threads[in->arg].begun = 1;
		s->threads[in->arg].ended = 0;
		settle(s, p, (unsigned)in->arg);
	}
	if (in->indexed)
		pop(t);
	if (solve_event_reads(e))
		push(t, (int32_t)e->value);
	t->index++;
	t->pc++;
	settle(s, p, n);
}

int mini_buffered(const struct mini_state *s, unsigned n, unsigned index)
{
	const struct mini_thread *t = &s->threads[n];

	for (int i = 0; i < t->buffered; i++) {
		if (t->buffer[i].index == index)
			return i;
	}
	return -1;
}

bool mini_may_flush(const struct mini_state *s, unsigned n, unsigned at, enum wire_model model)
{
	const struct mini_thread *t = &s->threads[n];

	if (model != MODEL_PSO)
		return at == 0;
	for (unsigned i = 0; i < at; i++) {
		if (t->buffer[i].var == t->buffer[at].var)
			return false;
	}
	return true;
}

void mini_flush(struct mini_state *s, unsigned n, unsigned at, struct solve_event *e)
{
	struct mini_thread *t = &s->threads[n];

	assert(at < t->buffered);
	*e = (struct solve_event){.thread = n,
				  .index = t->buffer[at].index,
				  .op = SOLVE_WRITE,
				  .writes = true,
				  .site = MINI_SITE(n, t->buffer[at].pc),
				  .object = t->buffer[at].var,
				  .written = (uint64_t)t->buffer[at].value};
	s->memory[t->buffer[at].var] = t->buffer[at].value;
	memmove(&t->buffer[at], &t->buffer[at + 1],
		(size_t)(t->buffered - at - 1) * sizeof(t->buffer[0]));
	t->buffered--;
	memset(&t->buffer[t->buffered], 0, sizeof(t->buffer[0]));
}

uint64_t mini_state_key(const struct mini_state *s, const struct mini_program *p)
{
	uint64_t h = 0;

	for (unsigned t = 0; t < p->threads; t++)
		h = mix(h, s->threads[t].past);
	return h;
}

uint64_t mini_history_key(const struct solve_history *h, const struct mini_program *p)
{
	uint64_t past[MINI_THREADS] = {0}, key = 0;

	for (size_t i = 0; i < h->count; i++) {
		const struct solve_event *e = &h->items[i];

		if (solve_event_reads(e))
			past[e->thread] = past_add(past[e->thread], e->index, e->value);
	}
	for (unsigned t = 0; t < p->threads; t++)
		key = mix(key, past[t]);
	return key;
}
