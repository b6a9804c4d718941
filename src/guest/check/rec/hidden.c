#include "guest/check/rec/hidden.h"

#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "wire/hidden.h"

#define FLAGS (ORDER_SEQ_CST | EVENT_GLUED | EVENT_HIDDEN)

uint64_t hidden_mix(uint64_t state, uint64_t operation)
{
	return wire_hidden_mix(state, operation);
}

/* kind in bits 36 to 39, the key's hash in 4 to 35. */
uint64_t hidden_cell(enum hidden_kind kind, uint64_t key)
{
	return WIRE_HIDDEN_ADDR + wire_hidden_place(kind, key);
}

uint64_t hidden_named(const char *name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *name && *name != ' '; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return hidden_cell(HIDDEN_LIBRARY, h);
}

#define STATES 1024
static struct {
	uint64_t cell, state;
} states[STATES];

uint64_t *hidden_state(uint64_t cell)
{
	uint32_t at = (uint32_t)(hidden_mix(0, cell) % STATES);

	for (uint32_t i = 0; i < STATES; i++, at = (at + 1) % STATES) {
		if (states[at].cell == cell)
			return &states[at].state;
		if (states[at].cell)
			continue;
		undo_touch(&states[at], sizeof(states[at]));
		states[at].cell = cell;
		return &states[at].state;
	}
	rt_trouble("more than %d streams and other states of libraries", STATES);
}

void hidden_read(uint64_t cell, uint64_t value, uint32_t site)
{
	rec_access(EVENT_READ, 8, site, cell, value, FLAGS);
}

void hidden_write(uint64_t cell, uint64_t value, uint32_t site)
{
	rec_access(EVENT_WRITE, 8, site, cell, value, FLAGS);
}

void hidden_update(uint64_t cell, uint64_t from, uint64_t to, bool observed, uint32_t site)
{
	rec_access(EVENT_READ, 8, site, cell, from, FLAGS | (observed ? 0 : EVENT_BLIND));
	rec_access(EVENT_WRITE, 8, site, cell, to, FLAGS);
}

void hidden_look(uint64_t cell, uint32_t site)
{
	hidden_read(cell, *hidden_state(cell), site);
}

void hidden_do(uint64_t cell, uint64_t operation, bool observed, uint32_t site)
{
	uint64_t *state = hidden_state(cell), from = *state;

	undo_touch(state, sizeof(*state));
	*state = hidden_mix(from, operation);
	hidden_update(cell, from, *state, observed, site);
}
