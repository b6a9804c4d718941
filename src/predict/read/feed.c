#include "predict/read/feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum match { MATCH_NONE, MATCH_LAST, MATCH_FIFO, MATCH_BARRIER };
enum space { SPACE_NONE, SPACE_LOC, SPACE_LOCK, SPACE_COND, SPACE_THREAD, SPACE_ANY };

struct word {
	const char *text;
	uint8_t op, flags, space, match;
};

static const struct word words[] = {
	{"r", OP_READ, 0, SPACE_LOC, 0},
	{"w", OP_WRITE, 0, SPACE_LOC, 0},
	{"rd", OP_READ, 0, SPACE_LOC, 0},
	{"wr", OP_WRITE, 0, SPACE_LOC, 0},
	{"ar", OP_READ, PREDICT_ATOMIC, SPACE_LOC, 0},
	{"aw", OP_WRITE, PREDICT_ATOMIC, SPACE_LOC, 0},
	{"rmw", OP_RMW, PREDICT_ATOMIC, SPACE_LOC, 0},
	{"acq", OP_ACQ, 0, SPACE_LOCK, 0},
	{"tacq", OP_ACQ, PREDICT_TRY, SPACE_LOCK, 0},
	{"racq", OP_ACQ, PREDICT_SHARED, SPACE_LOCK, 0},
	{"rel", OP_REL, 0, SPACE_LOCK, 0},
	{"fork", OP_FORK, 0, SPACE_THREAD, 0},
	{"join", OP_JOIN, 0, SPACE_THREAD, 0},
	{"sig", OP_SIG, 0, SPACE_COND, MATCH_LAST},
	{"wait", OP_WAIT, 0, SPACE_COND, MATCH_LAST},
	{"post", OP_SIG, 0, SPACE_COND, MATCH_FIFO},
	{"take", OP_WAIT, 0, SPACE_COND, MATCH_FIFO},
	{"arrive", OP_SIG, 0, SPACE_COND, MATCH_BARRIER},
	{"leave", OP_WAIT, 0, SPACE_COND, MATCH_BARRIER},
	{"br", OP_BRANCH, 0, SPACE_NONE, 0},
	{"begin", OP_BEGIN, 0, SPACE_NONE, 0},
	{"end", OP_END, 0, SPACE_NONE, 0},
	{"nop", OP_NOP, 0, SPACE_ANY, 0},
	{"req", OP_NOP, 0, SPACE_ANY, 0},
};

struct arrival {
	uint32_t event, round; /* of a barrier */
};

/* What is known about one condition, semaphore or barrier. */
struct cond {
	uint32_t last;	/* signal */
	uint32_t round; /* barrier: of the next arrival, PREDICT_NONE when it begins one */
	size_t taken;	/* of signals, in order */
	VEC(struct arrival) signals;
};

struct predict_feed {
	struct predict_trace *t;
	VEC(struct cond) conds;
	uint32_t named_wait; /* wait whose implicit partner was replaced by named ones */
};

struct predict_feed *predict_feed_new(struct predict_trace *t)
{
	struct predict_feed *f = xcalloc(1, sizeof(*f));

	f->t = t;
	f->named_wait = PREDICT_NONE;
	return f;
}

void predict_feed_free(struct predict_feed *f)
{
	if (f == NULL)
		return;
	for (size_t i = 0; i < f->conds.count; i++)
		vec_free(&f->conds.items[i].signals);
	vec_free(&f->conds);
	free(f);
}

const char *predict_text_quote(struct predict_text text, char buffer[64])
{
	size_t n = text.bytes < 60 ? text.bytes : 60;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text.at[i];

		buffer[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
	}
	memcpy(buffer + n, text.bytes > 60 ? "..." : "", text.bytes > 60 ? 4 : 1);
	return buffer;
}

static const struct word *find_word(struct predict_text op)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].text) == op.bytes &&
		    memcmp(words[i].text, op.at, op.bytes) == 0)
			return &words[i];
	}
	return NULL;
}

static struct cond *cond_of(struct predict_feed *f, uint32_t id)
{
	while (f->conds.count <= id)
		vec_push(&f->conds, ((struct cond){PREDICT_NONE, PREDICT_NONE, 0, VEC_INIT}));
	return &f->conds.items[id];
}

static void match_fifo(struct predict_feed *f, struct cond *c, uint32_t event)
{
	if (c->taken < c->signals.count)
		predict_trace_pair(f->t, c->signals.items[c->taken++].event, event);
	else
		f->t->events.items[event].op = OP_NOP;
}

static void arrive(struct predict_feed *f, struct cond *c, uint32_t event)
{
	if (c->round == PREDICT_NONE)
		c->round = f->t->rounds++;
	vec_push(&c->signals, ((struct arrival){event, c->round}));
	predict_trace_meet(f->t, c->round, event);
}

/* The round is the one in which the thread arrived last; with the first leave it is full. */
static void leave(struct predict_feed *f, struct cond *c, uint32_t event)
{
	uint32_t thread = f->t->events.items[event].thread, round = PREDICT_NONE;

	for (size_t i = c->signals.count; i-- > 0 && round == PREDICT_NONE;) {
		if (f->t->events.items[c->signals.items[i].event].thread == thread)
			round = c->signals.items[i].round;
	}
	if (round == PREDICT_NONE)
		return;
	predict_trace_meet(f->t, round, event);
	if (round == c->round)
		c->round = PREDICT_NONE;
}

static void match(struct predict_feed *f, const struct word *w, uint32_t event)
{
	struct cond *c = cond_of(f, f->t->events.items[event].object);

	if (w->op == OP_SIG) {
		c->last = event;
		if (w->match == MATCH_BARRIER)
			arrive(f, c, event);
		else if (w->match == MATCH_FIFO)
			vec_push(&c->signals, ((struct arrival){event, PREDICT_NONE}));
	} else if (w->match == MATCH_FIFO) {
		match_fifo(f, c, event);
	} else if (w->match == MATCH_BARRIER) {
		leave(f, c, event);
	} else if (c->last != PREDICT_NONE) {
		predict_trace_pair(f->t, c->last, event);
	}
}

static uint32_t name_object(struct predict_trace *t, enum space space, struct predict_text arg)
{
	switch (space) {
	case SPACE_LOC:
		return predict_names_add(&t->locs, arg.at, arg.bytes);
	case SPACE_LOCK:
		return predict_names_add(&t->locks, arg.at, arg.bytes);
	case SPACE_COND:
		return predict_names_add(&t->conds, arg.at, arg.bytes);
	case SPACE_THREAD:
		return predict_names_add(&t->threads, arg.at, arg.bytes);
	default:
		return PREDICT_NONE;
	}
}

int predict_feed_event(struct predict_feed *f, const struct predict_item *item, uint32_t *event,
		       struct err *e)
{
	const struct word *w = find_word(item->op);
	struct predict_event ev = {.line = item->line, .site = PREDICT_NONE};
	char quoted[64];

	if (w == NULL)
		return err_set(e, ERR_FORMAT, "line %u: unknown operation \"%s\"", item->line,
			       predict_text_quote(item->op, quoted));
	if (item->thread.bytes == 0)
		return err_set(e, ERR_FORMAT, "line %u: the thread is missing", item->line);
	if (w->space != SPACE_NONE && w->space != SPACE_ANY && item->arg.bytes == 0)
		return err_set(e, ERR_FORMAT, "line %u: operation \"%s\" needs an operand",
			       item->line, w->text);
	ev.thread = predict_names_add(&f->t->threads, item->thread.at, item->thread.bytes);
	ev.object = name_object(f->t, w->space, item->arg);
	ev.op = w->op;
	ev.flags = w->flags | item->flags;
	if (item->site.bytes > 0)
		ev.site = predict_names_add(&f->t->sites, item->site.at, item->site.bytes);
	*event = predict_trace_add(f->t, ev);
	if (item->label.bytes > 0)
		predict_trace_label(f->t, item->label.at, item->label.bytes, *event);
	if (w->match != MATCH_NONE)
		match(f, w, *event);
	return 0;
}

int predict_feed_released_by(struct predict_feed *f, uint32_t wait, struct predict_text label,
			     struct err *e)
{
	struct predict_trace *t = f->t;
	uint32_t sig = predict_trace_find(t, label.at, label.bytes);
	char quoted[64];

	if (sig == PREDICT_NONE || t->events.items[sig].op != OP_SIG ||
	    t->events.items[wait].was != OP_WAIT)
		return err_set(e, ERR_FORMAT, "line %u: \"^%s\" names no earlier signal",
			       t->events.items[wait].line, predict_text_quote(label, quoted));
	if (f->named_wait != wait) {
		while (t->pairs.count > 0 && vec_last(&t->pairs).wait == wait)
			t->pairs.count--;
		if (t->meetings.count > 0 && vec_last(&t->meetings).event == wait)
			t->meetings.count--;
		t->events.items[wait].flags &= (uint16_t)~PREDICT_BARRIER;
		f->named_wait = wait;
	}
	predict_trace_pair(t, sig, wait);
	return 0;
}
