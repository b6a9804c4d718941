#include "predict/read/trace.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"

struct predict_trace *predict_trace_new(void)
{
	struct predict_trace *t = xcalloc(1, sizeof(*t));

	vec_push(&t->lists, ((struct predict_held){PREDICT_NONE, 0, 0}));
	vec_push(&t->set_start, 0);
	vec_push(&t->set_start, 0);
	return t;
}

void predict_trace_free(struct predict_trace *t)
{
	if (t == NULL)
		return;
	predict_names_fini(&t->threads);
	predict_names_fini(&t->locks);
	predict_names_fini(&t->conds);
	predict_names_fini(&t->locs);
	predict_names_fini(&t->sites);
	predict_names_fini(&t->labels);
	predict_names_fini(&t->funcs);
	vec_free(&t->frames);
	vec_free(&t->events);
	vec_free(&t->pairs);
	vec_free(&t->label_event);
	for (size_t i = 0; i < t->warnings.count; i++)
		free(t->warnings.items[i].text);
	vec_free(&t->warnings);
	for (size_t i = 0; i < t->asked.count; i++)
		free(t->asked.items[i].text);
	vec_free(&t->asked);
	free(t->start);
	free(t->order);
	free(t->pos);
	free(t->rf);
	free(t->match);
	free(t->held);
	free(t->held_end);
	free(t->fork_of);
	free(t->head);
	free(t->tail);
	free(t->round_of);
	free(t->arrivals);
	vec_free(&t->meetings);
	vec_free(&t->lists);
	vec_free(&t->set_start);
	vec_free(&t->set_codes);
	free(t);
}

uint32_t predict_trace_add(struct predict_trace *t, struct predict_event event)
{
	uint32_t id = (uint32_t)t->events.count;

	assert(t->events.count < PREDICT_NONE - 1);
	event.was = event.op;
	vec_push(&t->events, event);
	return id;
}

void predict_trace_ask(struct predict_trace *t, uint32_t line, const char *text, size_t bytes)
{
	vec_push(&t->asked, ((struct predict_asked){line, xstrndup(text, bytes)}));
}

void predict_trace_pair(struct predict_trace *t, uint32_t sig, uint32_t wait)
{
	assert(sig < t->events.count && wait < t->events.count);
	vec_push(&t->pairs, ((struct predict_pair){sig, wait}));
}

void predict_trace_meet(struct predict_trace *t, uint32_t round, uint32_t event)
{
	assert(round < t->rounds && event < t->events.count);
	assert(t->meetings.count == 0 || vec_last(&t->meetings).event < event);
	t->events.items[event].flags |= PREDICT_BARRIER;
	vec_push(&t->meetings, ((struct predict_meeting){event, round}));
}

void predict_trace_label(struct predict_trace *t, const char *text, size_t bytes, uint32_t event)
{
	uint32_t id = predict_names_add(&t->labels, text, bytes);

	if (id == t->label_event.count)
		vec_push(&t->label_event, event);
}

void predict_trace_warn(struct predict_trace *t, uint32_t line, const char *format, ...)
{
	struct predict_warning w = {line, NULL};
	va_list args;

	va_start(args, format);
	w.text = xvasprintf(format, args);
	va_end(args);
	vec_push(&t->warnings, w);
}

uint32_t predict_trace_find(const struct predict_trace *t, const char *text, size_t bytes)
{
	uint32_t label = predict_names_find(&t->labels, text, bytes);
	uint64_t number = 0;

	if (label != PREDICT_NAME_NONE)
		return t->label_event.items[label];
	if (bytes < 2 || bytes > 10 || text[0] != '#')
		return PREDICT_NONE;
	for (size_t i = 1; i < bytes; i++) {
		if (text[i] < '0' || text[i] > '9')
			return PREDICT_NONE;
		number = number * 10 + (uint64_t)(text[i] - '0');
	}
	return number >= 1 && number <= t->events.count ? (uint32_t)number - 1 : PREDICT_NONE;
}

uint32_t predict_trace_access(const struct predict_trace *t, uint32_t e)
{
	while (t->head != NULL && t->events.items[e].flags & PREDICT_PART && e > t->head[e])
		e--;
	return e;
}

uint32_t predict_trace_held_after(const struct predict_trace *t, uint32_t e)
{
	uint32_t thread = t->events.items[e].thread;
	uint32_t next = t->start[thread] + t->pos[e] + 1;

	return next < t->start[thread + 1] ? t->held[t->order[next]] : t->held_end[thread];
}

bool predict_trace_sets_disjoint(const struct predict_trace *t, uint32_t set1, uint32_t set2)
{
	const uint32_t *codes = t->set_codes.items;
	uint32_t i = t->set_start.items[set1], i_end = t->set_start.items[set1 + 1];
	uint32_t j = t->set_start.items[set2], j_end = t->set_start.items[set2 + 1];

	while (i < i_end && j < j_end) {
		uint32_t lock1 = codes[i] / 2, lock2 = codes[j] / 2;

		if (lock1 == lock2 && !(codes[i] % 2 == 1 && codes[j] % 2 == 1))
			return false;
		if (lock1 <= lock2)
			i++;
		if (lock2 <= lock1)
			j++;
	}
	return true;
}

const char *predict_op_word(uint8_t op)
{
	static const char *const words[] = {
#define X(name, word) word,
		PREDICT_OPS(X)
#undef X
	};

	assert(op < sizeof(words) / sizeof(words[0]));
	return words[op];
}

const char *predict_trace_object(const struct predict_trace *t, uint32_t e)
{
	const struct predict_event *ev = &t->events.items[e];

	if (ev->object == PREDICT_NONE)
		return "";
	switch (ev->was) {
	case OP_READ:
	case OP_WRITE:
	case OP_RMW:
		return predict_names_text(&t->locs, ev->object);
	case OP_ACQ:
	case OP_REL:
		return predict_names_text(&t->locks, ev->object);
	case OP_FORK:
	case OP_JOIN:
		return predict_names_text(&t->threads, ev->object);
	case OP_SIG:
	case OP_WAIT:
		return predict_names_text(&t->conds, ev->object);
	default:
		return "";
	}
}
