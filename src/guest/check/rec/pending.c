#include "guest/check/rec/pending.h"

#include <signal.h>
#include <string.h>

#include "guest/check/rt.h"
#include "guest/check/rec/hidden.h"

#define ROOM 256

struct entry {
	uint16_t who;
	uint8_t number;
	struct pending_signal what;
};

static RT_RUN struct entry entries[ROOM];
static RT_RUN uint32_t used;

/* The first entry from i on; used when there is none. */
static uint32_t find(uint16_t who, int number, uint32_t i)
{
	while (i < used && (entries[i].who != who || entries[i].number != number))
		i++;
	return i;
}

bool pending_add(uint16_t who, int number, struct pending_signal what)
{
	if (number < SIGRTMIN && find(who, number, 0) < used)
		return false;
	if (used == ROOM) {
		rt_unseen(SITE_NONE, "more than %d signals are pending", ROOM);
		return false;
	}
	entries[used++] = (struct entry){who, (uint8_t)number, what};
	return true;
}

struct pending_signal pending_remove(uint16_t who, int number, bool *more)
{
	uint32_t i = find(who, number, 0);
	struct pending_signal what;

	RT_ASSERT(i < used);
	what = entries[i].what;
	used--;
	memmove(&entries[i], &entries[i + 1], (used - i) * sizeof(entries[0]));
	*more = find(who, number, i) < used;
	return what;
}

uint64_t pending_state(uint16_t who, uint64_t pending)
{
	uint64_t state = pending;

	for (uint32_t i = 0; i < used; i++) {
		const struct entry *e = &entries[i];

		if (e->who == who && (e->what.value || find(who, e->number, 0) != i))
			state = hidden_mix(state, hidden_mix(e->number, e->what.value));
	}
	return state;
}
