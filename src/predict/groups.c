#include "predict/groups.h"

#include <stdlib.h>

#include "base/mem.h"

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ (h >> 32);
}

/* Without a source location the thread stands for it. */
static uint64_t event_key(const struct predict_trace *t, uint32_t e)
{
	const struct predict_event *ev = &t->events.items[e];
	uint64_t place = ev->site != PREDICT_NONE ? ev->site : UINT64_C(1) << 40 | ev->thread;

	return mix(mix(place, ev->op), ev->object);
}

static size_t slot_of(const struct predict_groups *g, uint64_t key)
{
	size_t i = key & (g->size - 1);

	while (g->keys[i] != 0 && g->keys[i] != key)
		i = (i + 1) & (g->size - 1);
	return i;
}

static void grow(struct predict_groups *g)
{
	struct predict_groups old = *g;

	g->size = old.size ? old.size * 2 : 256;
	g->keys = xcalloc(g->size, sizeof(*g->keys));
	g->values = xcalloc(g->size, sizeof(*g->values));
	for (size_t i = 0; i < old.size; i++) {
		if (old.keys[i] != 0) {
			size_t slot = slot_of(g, old.keys[i]);

			g->keys[slot] = old.keys[i];
			g->values[slot] = old.values[i];
		}
	}
	free(old.keys);
	free(old.values);
}

uint32_t *predict_groups_find(struct predict_groups *g, const struct predict_trace *t,
			      enum predict_kind kind, const uint32_t *events, uint32_t n)
{
	uint64_t key = mix(UINT64_C(0x9e3779b97f4a7c15), kind);
	size_t slot;

	for (uint32_t i = 0; i < n; i++)
		key = kind == KIND_RACE ? key + event_key(t, events[i])
					: mix(key, event_key(t, events[i]));
	if (key == 0)
		key = 1;
	if ((g->used + 1) * 2 > g->size)
		grow(g);
	slot = slot_of(g, key);
	if (g->keys[slot] == 0) {
		g->keys[slot] = key;
		g->values[slot] = PREDICT_NONE;
		g->used++;
	}
	return &g->values[slot];
}

void predict_groups_fini(struct predict_groups *g)
{
	free(g->keys);
	free(g->values);
}
