/*
 * The SpeedyGo/shbee log: "thread,OP,object,file:line:col,id".  Fork and join are signals and waits
 * on fresh ids.  A join may be printed before the signal of the thread it waits for; its thread is
 * then held back until that signal has been read, which restores an order the program can have had.
 */
#include <stdlib.h>
#include <string.h>

#include "predict/read/read.h"

struct op_word {
	const char *text;
	const char *op;
	bool may_wait; /* its signal may come later in the file */
};

static const struct op_word op_words[] = {
	{"RD", "r", false},	      {"WR", "w", false},	  {"LK", "acq", false},
	{"UK", "rel", false},	      {"SIG", "sig", false},	  {"WT", "wait", true},
	{"READ", "r", false},	      {"WRITE", "w", false},	  {"LOCK", "acq", false},
	{"UNLOCK", "rel", false},     {"SIGNAL", "sig", false},	  {"WAIT", "wait", true},
	{"SIGNALJOIN", "sig", false}, {"WAITJOIN", "wait", true},
};

struct log_line {
	struct predict_item item;
	const struct op_word *word;
};

struct log {
	struct predict_feed *f;
	struct predict_trace *t;
	struct predict_names objects, threads; /* of signals and waits; of held-back threads */
	VEC(uint8_t) announced;	      /* by object: a signal exists somewhere in the file */
	VEC(uint8_t) sent;	      /* by object: it has been read */
	VEC(uint32_t) held;	      /* by thread: object + 1 it waits for, 0 = none */
	VEC(struct log_line) waiting; /* lines of held-back threads, in file order */
};

static int split_line(struct predict_text line, uint32_t number, struct log_line *out,
		      struct err *e)
{
	struct predict_text field[5] = {{0}};
	size_t count = 0, start = 0;
	char quoted[64];

	for (size_t i = 0; i <= line.bytes && count < 5; i++) {
		if (i == line.bytes || line.at[i] == ',') {
			field[count++] = predict_text_trim(
				(struct predict_text){line.at + start, i - start});
			start = i + 1;
		}
	}
	if (count < 3)
		return err_set(e, ERR_FORMAT, "line %u: not \"thread,OP,object,location,id\"",
			       number);
	out->item = (struct predict_item){.thread = field[0], .arg = field[2], .line = number};
	if (count > 3 && !(field[3].bytes == 3 && memcmp(field[3].at, "nil", 3) == 0))
		out->item.site = field[3];
	out->word = NULL;
	for (size_t i = 0; i < sizeof(op_words) / sizeof(op_words[0]); i++) {
		if (strlen(op_words[i].text) == field[1].bytes &&
		    memcmp(op_words[i].text, field[1].at, field[1].bytes) == 0)
			out->word = &op_words[i];
	}
	if (out->word == NULL)
		return err_set(e, ERR_FORMAT, "line %u: unknown operation \"%s\"", number,
			       predict_text_quote(field[1], quoted));
	out->item.op = (struct predict_text){out->word->op, strlen(out->word->op)};
	return 0;
}

static uint32_t object_of(struct log *l, const struct log_line *line)
{
	uint32_t id = predict_names_add(&l->objects, line->item.arg.at, line->item.arg.bytes);

	while (l->announced.count <= id) {
		vec_push(&l->announced, 0);
		vec_push(&l->sent, 0);
	}
	return id;
}

static int announce(struct log *l, struct predict_text all, struct err *e)
{
	struct predict_text line;
	struct log_line parsed;
	uint32_t number = 0, object;
	int code = 0;

	while (code == 0 && predict_text_content(&all, &line, &number)) {
		code = split_line(line, number, &parsed, e);
		if (code == 0 && strcmp(parsed.word->op, "sig") == 0) {
			object = object_of(l, &parsed);
			l->announced.items[object] = 1;
		}
	}
	return code;
}

/* Feeds the line unless its thread is held back or has to be now; *fed says which. */
static int try_line(struct log *l, const struct log_line *line, bool *fed, struct err *e)
{
	uint32_t thread =
		predict_names_add(&l->threads, line->item.thread.at, line->item.thread.bytes);
	uint32_t object, event;

	while (l->held.count <= thread)
		vec_push(&l->held, 0);
	*fed = false;
	if (l->held.items[thread] != 0)
		return 0;
	if (line->word->may_wait) {
		object = object_of(l, line);
		if (l->announced.items[object] && !l->sent.items[object]) {
			l->held.items[thread] = object + 1;
			predict_trace_warn(l->t, line->item.line,
					   "this wait is printed before its signal; its thread is "
					   "held back until then");
			return 0;
		}
	}
	*fed = true;
	if (strcmp(line->word->op, "sig") == 0) {
		object = object_of(l, line);
		l->sent.items[object] = 1;
	}
	return predict_feed_event(l->f, &line->item, &event, e);
}

/* Lines that were held back and can go on now, as long as one of them does. */
static int retry(struct log *l, struct err *e)
{
	bool progress = true, fed;
	int code = 0;

	while (progress && code == 0) {
		size_t kept = 0;

		progress = false;
		for (size_t i = 0; i < l->held.count; i++) {
			if (l->held.items[i] != 0 && l->sent.items[l->held.items[i] - 1])
				l->held.items[i] = 0;
		}
		for (size_t i = 0; i < l->waiting.count; i++) {
			struct log_line line = l->waiting.items[i];

			fed = false;
			if (code == 0)
				code = try_line(l, &line, &fed, e);
			progress |= fed;
			if (!fed)
				l->waiting.items[kept++] = line;
		}
		l->waiting.count = kept;
	}
	return code;
}

static int read_all(struct log *l, struct predict_text all, struct err *e)
{
	struct predict_text line;
	struct log_line parsed;
	uint32_t number = 0;
	bool fed;
	int code = 0;

	while (code == 0 && predict_text_content(&all, &line, &number)) {
		code = split_line(line, number, &parsed, e);
		if (code == 0)
			code = try_line(l, &parsed, &fed, e);
		if (code == 0 && !fed)
			vec_push(&l->waiting, parsed);
		else if (code == 0 && l->waiting.count > 0 && strcmp(parsed.word->op, "sig") == 0)
			code = retry(l, e);
	}
	if (code == 0 && l->waiting.count > 0)
		code = err_set(e, ERR_FORMAT, "line %u: threads wait for each other's signals",
			       l->waiting.items[0].item.line);
	return code;
}

int predict_read_speedygo(struct predict_feed *f, struct predict_trace *t, struct predict_text all,
			  struct err *e)
{
	struct log l = {.f = f, .t = t};
	int code = announce(&l, all, e);

	if (code == 0)
		code = read_all(&l, all, e);
	predict_names_fini(&l.objects);
	predict_names_fini(&l.threads);
	vec_free(&l.announced);
	vec_free(&l.sent);
	vec_free(&l.held);
	vec_free(&l.waiting);
	return code;
}
