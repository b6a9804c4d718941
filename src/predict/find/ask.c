#include "predict/find/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "predict/read/read.h"

static bool next_word(struct predict_text *rest, struct predict_text *word)
{
	size_t n = 0;

	*rest = predict_text_trim(*rest);
	while (n < rest->bytes && rest->at[n] != ' ' && rest->at[n] != '\t' && rest->at[n] != ',')
		n++;
	*word = (struct predict_text){rest->at, n};
	n += n < rest->bytes && rest->at[n] == ',' ? 1 : 0;
	rest->at += n;
	rest->bytes -= n;
	return word->bytes > 0;
}

static bool word_is(struct predict_text word, const char *text)
{
	return strlen(text) == word.bytes && memcmp(text, word.at, word.bytes) == 0;
}

static int find_event(const struct predict_trace *t, struct predict_text name, uint32_t line,
		      uint32_t *event, struct err *e)
{
	char quoted[64];

	*event = predict_trace_find(t, name.at, name.bytes);
	if (*event == PREDICT_NONE)
		return err_set(e, ERR_FORMAT, "line %u: no event \"%s\" in the trace", line,
			       predict_text_quote(name, quoted));
	return 0;
}

static int parse_events(const struct predict_trace *t, struct predict_text rest,
			struct predict_ask *ask, struct err *e)
{
	struct predict_text word;
	uint32_t event;
	int code = 0;

	while (code == 0 && next_word(&rest, &word)) {
		code = find_event(t, word, ask->line, &event, e);
		if (code == 0)
			vec_push(&ask->events, event);
	}
	return code;
}

static int parse_edge(const struct predict_trace *t, struct predict_text word, uint32_t line,
		      struct predict_pair *p, struct err *e)
{
	const char *arrow = memmem(word.at, word.bytes, "->", 2);
	size_t left;
	int code;

	if (arrow == NULL)
		return err_set(e, ERR_FORMAT, "line %u: an order is written U->V", line);
	left = (size_t)(arrow - word.at);
	code = find_event(t, (struct predict_text){word.at, left}, line, &p->sig, e);
	if (code == 0)
		code = find_event(t, (struct predict_text){arrow + 2, word.bytes - left - 2}, line,
				  &p->wait, e);
	return code;
}

static int parse_edges(const struct predict_trace *t, struct predict_text rest,
		       struct predict_ask *ask, struct err *e)
{
	VEC(struct predict_pair) edges = VEC_INIT;
	struct predict_text word;
	struct predict_pair p;
	int code = 0;

	while (code == 0 && next_word(&rest, &word)) {
		code = parse_edge(t, word, ask->line, &p, e);
		if (code == 0)
			vec_push(&edges, p);
	}
	if (code == 0)
		predict_question_whole(&ask->q, t, edges.items, (uint32_t)edges.count);
	vec_free(&edges);
	return code;
}

static int check_threads(const struct predict_trace *t, const struct predict_ask *ask,
			 struct err *e)
{
	for (size_t i = 0; i < ask->q.targets.count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (t->events.items[ask->q.targets.items[i]].thread ==
			    t->events.items[ask->q.targets.items[j]].thread)
				return err_set(e, ERR_FORMAT,
					       "line %u: two of the events belong to one thread",
					       ask->line);
		}
	}
	return 0;
}

/* A race is between conflicting accesses, a deadlock between acquisitions. */
static int check_sense(const struct predict_trace *t, const struct predict_ask *ask, struct err *e)
{
	const uint32_t *ev = ask->events.items;
	bool accesses = ask->q.kind == KIND_RACE || ask->q.kind == KIND_ATOMICITY, writes = false;

	for (size_t i = 0; i < ask->events.count; i++) {
		const struct predict_event *x = &t->events.items[ev[i]];

		writes |= predict_op_writes(x->op);
		if (ask->q.kind == KIND_DEADLOCK && x->op != OP_ACQ)
			return err_set(e, ERR_FORMAT, "line %u: event #%u acquires no lock",
				       ask->line, ev[i] + 1);
		if (accesses &&
		    (!predict_op_accesses(x->op) || x->object != t->events.items[ev[0]].object))
			return err_set(e, ERR_FORMAT,
				       "line %u: the events do not access one location", ask->line);
	}
	if (accesses && !writes)
		return err_set(e, ERR_FORMAT, "line %u: none of the events writes", ask->line);
	return 0;
}

static int make_question(const struct predict_trace *t, struct predict_text kind,
			 struct predict_ask *ask, struct err *e)
{
	const uint32_t *ev = ask->events.items;
	uint32_t n = (uint32_t)ask->events.count;
	char quoted[64];
	int code;

	if (word_is(kind, "race") && n == 2)
		predict_question_race(&ask->q, ev[0], ev[1]);
	else if (word_is(kind, "deadlock") && n >= 2)
		predict_question_deadlock(&ask->q, ev, n);
	else if (word_is(kind, "atomic") && n == 3)
		predict_question_atomicity(&ask->q, t, ev[0], ev[1], ev[2]);
	else if (word_is(kind, "sequence") && n >= 2)
		predict_question_sequence(&ask->q, ev, n);
	else
		return err_set(e, ERR_FORMAT,
			       "line %u: \"%s\" with %u events is no question (race, deadlock, "
			       "atomic, sequence, order)",
			       ask->line, predict_text_quote(kind, quoted), n);
	code = check_threads(t, ask, e);
	return code != 0 ? code : check_sense(t, ask, e);
}

static int parse_line(const struct predict_trace *t, struct predict_text line, uint32_t number,
		      struct predict_asks *out, struct err *e)
{
	struct predict_ask ask = {NULL, number, PREDICT_QUESTION_INIT, VEC_INIT};
	struct predict_text kind;
	int code;

	if (!next_word(&line, &kind))
		return 0;
	if (kind.bytes > 1 && kind.at[kind.bytes - 1] == ':') {
		ask.name = xstrndup(kind.at, kind.bytes - 1);
		next_word(&line, &kind);
	} else {
		ask.name = xasprintf("line%u", number);
	}
	if (word_is(kind, "order")) {
		code = parse_edges(t, line, &ask, e);
	} else {
		code = parse_events(t, line, &ask, e);
		if (code == 0)
			code = make_question(t, kind, &ask, e);
	}
	vec_push(out, ask);
	return code;
}

int predict_ask_trace(const struct predict_trace *t, struct predict_asks *out, struct err *e)
{
	int code = 0;

	for (size_t i = 0; i < t->asked.count && code == 0; i++) {
		const struct predict_asked *a = &t->asked.items[i];

		code = parse_line(t, (struct predict_text){a->text, strlen(a->text)}, a->line, out,
				  e);
	}
	return code;
}

int predict_ask_file(const struct predict_trace *t, const char *path, struct predict_asks *out,
		     struct err *e)
{
	struct predict_text rest = {NULL, 0}, line;
	char *text = NULL;
	uint32_t number = 0;
	int code = fs_read_file(path, (size_t)16 << 20, &text, &rest.bytes, e);

	if (code != 0)
		return code;
	rest.at = text;
	while (code == 0 && predict_text_line(&rest, &line)) {
		number++;
		line = predict_text_trim(line);
		if (line.bytes > 0 && *line.at == '?')
			line = (struct predict_text){line.at + 1, line.bytes - 1};
		if (line.bytes > 0 && *line.at != '#')
			code = parse_line(t, line, number, out, e);
	}
	free(text);
	return code != 0 ? err_wrap(e, "%s", path) : 0;
}

void predict_ask_fini(struct predict_asks *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->items[i].name);
		predict_question_fini(&a->items[i].q);
		vec_free(&a->items[i].events);
	}
	vec_free(a);
}

void predict_ask_keep(const struct predict_asks *a, uint8_t *keep)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct predict_question *q = &a->items[i].q;

		for (size_t j = 0; j < q->targets.count; j++)
			keep[q->targets.items[j]] = 1;
		for (size_t j = 0; j < q->required.count; j++)
			keep[q->required.items[j]] = 1;
		for (size_t j = 0; j < q->order.count; j++)
			keep[q->order.items[j].sig] = keep[q->order.items[j].wait] = 1;
	}
}
