/*
 * A recording of everything against one of marked points only: the same reconstruction.
 *
 *	marked ALL.rec PROGRAM MARKS
 *
 * ALL.rec has every point (--mark=all), PROGRAM is the same source built for control, MARKS what
 * heddle-deps --marks says of it.  The recorded paths are executed; on the way, what the stream
 *says of marked points is copied into another recording of the same run, and then that one is
 *executed.  All events must be the same, branches among them.  A thread that was cut off may go
 *further the second time, up to its next marked point.
 *
 * Prints what it did; 0 the same, 1 not, 3 something is missing, 4 the executor cannot follow the
 * recording of everything, so that there is nothing to compare with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "symex/follow/source.h"
#include "wire/event.h"

struct copy {
	struct follow_source source;
	struct symex_source from;
	const struct trace_recording *marked;
	struct trace_recording to; /* only its streams */
	uint64_t at[4096];	   /* by thread: bits that were read */
	uint64_t all, kept;
	bool gave_up; /* the source stopped a thread that the stream did not */
};

static const struct trace_marks *marks_of(const struct copy *c, uint32_t unit)
{
	uint64_t canon = symex_program_unit_hash(c->source.program, unit);

	for (size_t i = 0; i < c->marked->marks.count; i++)
		if (c->marked->marks.items[i].head.canon == canon)
			return &c->marked->marks.items[i];
	return NULL;
}

/* What the question took out of the stream is kept when it was asked at a marked point. */
static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	struct copy *c = arg;
	enum symex_answer a = c->from.ask(c->from.arg, q, out);
	const struct follow_source_thread *t;
	const struct trace_marks *m;

	c->gave_up |= q->ask > SYMEX_ASK_CALL && a == SYMEX_ANSWER_STOP;
	if (q->ask > SYMEX_ASK_CALL || q->thread >= c->source.threads.count || q->thread >= 4096)
		return a;
	t = &c->source.threads.items[q->thread];
	m = marks_of(c, q->unit);
	for (; t->task < c->to.tasks.count && c->at[q->thread] < t->path.at; c->at[q->thread]++) {
		c->all++;
		if (!m || !trace_marks_has(m, q->point))
			continue;
		c->kept++;
		trace_task_push(&c->to.tasks.items[t->task],
				trace_task_bit(t->path.task, c->at[q->thread]));
	}
	return a;
}

static bool wants(void *arg, uint32_t unit, uint32_t point)
{
	struct copy *c = arg;

	return c->from.wants(c->from.arg, unit, point);
}

static void restart(void *arg)
{
	struct copy *c = arg;

	c->from.restart(c->from.arg);
	memset(c->at, 0, sizeof(c->at));
	c->all = c->kept = 0;
	c->gave_up = false;
	for (size_t i = 0; i < c->to.tasks.count; i++) {
		free(c->to.tasks.items[i].stream);
		c->to.tasks.items[i].stream = NULL;
		c->to.tasks.items[i].bits = 0;
	}
}

static int execute(struct copy *c, struct symex_trace *out, struct err *e)
{
	const struct trace_meta *m = &c->source.r->meta;
	VEC(char *) argv = VEC_INIT, envp = VEC_INIT;
	struct symex_options o = {.max_instructions = 200000000, .markers = true};
	bool again = true;
	int rc = 0;

	for (size_t i = 0; i < m->argv.count; i++)
		vec_push(&argv, m->argv.items[i]);
	for (size_t i = 0; i < m->environ.count; i++)
		vec_push(&envp, m->environ.items[i]);
	vec_push(&argv, NULL);
	vec_push(&envp, NULL);
	o.argv = argv.items;
	o.envp = envp.items;
	for (int pass = 0; pass < 4 && again && !rc; pass++) {
		c->from = follow_source_get(&c->source);
		o.source = (struct symex_source){c, ask, wants, restart};
		restart(c);
		rc = symex_run((struct symex_program *)c->source.program, &o, out, e);
		again = !rc && follow_source_learn(&c->source, out);
		if (again && pass < 3)
			symex_trace_fini(out);
	}
	vec_free(&argv);
	vec_free(&envp);
	return rc;
}

/* What one execution knows as a number may be an expression in the other, where more is shared. */
static bool same_event(const struct symex_event *a, const struct symex_event *b)
{
	return a->kind == b->kind && a->site == b->site && a->tix == b->tix && a->aux == b->aux &&
	       a->size == b->size && (a->addr == b->addr || a->addr_expr || b->addr_expr) &&
	       (a->value == b->value || a->value_expr || b->value_expr);
}

static void print_event(const struct symex_event *v)
{
	printf("    kind %u site %u tix %u address %lx value %lx size %u\n", v->kind, v->site,
	       v->tix, (unsigned long)v->addr, (unsigned long)v->value, v->size);
}

static bool same_thread(const struct symex_thread *a, const struct symex_thread *b)
{
	bool cut = a->end == SYMEX_END_STOPPED;

	for (size_t i = 0; i < a->events.count; i++)
		if (i >= b->events.count || !same_event(&a->events.items[i], &b->events.items[i])) {
			printf("thread %u: event %zu of %zu and %zu (%s; %s)\n", a->thread, i,
			       a->events.count, b->events.count, a->reason, b->reason);
			print_event(&a->events.items[i]);
			if (i < b->events.count)
				print_event(&b->events.items[i]);
			return false;
		}
	if (cut)
		return true;
	if (a->end != b->end || a->events.count != b->events.count)
		return printf("thread %u: end %d and %d, %zu and %zu events: %s; %s\n", a->thread,
			      a->end, b->end, a->events.count, b->events.count, a->reason,
			      b->reason),
		       false;
	return true;
}

/* One that was cut off may have gone on, up to its next marked point, and made threads. */
static bool any_cut(const struct symex_trace *t)
{
	for (size_t i = 0; i < t->threads.count; i++)
		if (t->threads.items[i].end == SYMEX_END_STOPPED)
			return true;
	return false;
}

static bool same(const struct symex_trace *a, const struct symex_trace *b)
{
	if (a->threads.count != b->threads.count &&
	    (a->threads.count > b->threads.count || !any_cut(a)))
		return printf("%zu and %zu threads\n", a->threads.count, b->threads.count), false;
	for (size_t i = 0; i < a->threads.count; i++)
		if (!same_thread(&a->threads.items[i], &b->threads.items[i]))
			return false;
	return true;
}

static bool followed(const struct symex_trace *t)
{
	for (size_t i = 0; i < t->threads.count; i++)
		if (t->threads.items[i].end == SYMEX_END_UNKNOWN ||
		    t->threads.items[i].end == SYMEX_END_LIMIT)
			return printf("thread %zu: %s\n", i, t->threads.items[i].reason), false;
	return true;
}

static int read_marks(const char *path, struct trace_recording *to, struct err *e)
{
	char *bytes = NULL;
	size_t n, at = 0;
	int rc = fs_read_file(path, 1 << 28, &bytes, &n, e);

	while (!rc && n - at >= sizeof(struct record_marks)) {
		struct trace_marks m;

		memcpy(&m.head, bytes + at, sizeof(m.head));
		m.words = calloc(m.head.words + 1, 8);
		memcpy(m.words, bytes + at + sizeof(m.head), m.head.words * 8);
		at += sizeof(m.head) + m.head.words * 8;
		vec_push(&to->marks, m);
	}
	free(bytes);
	return rc;
}

static void copy_tasks(const struct trace_recording *from, struct trace_recording *to)
{
	for (size_t i = 0; i < from->tasks.count; i++) {
		struct trace_task t = from->tasks.items[i];

		t.stream = NULL;
		t.bits = 0;
		vec_push(&to->tasks, t);
	}
	to->meta = from->meta;
	to->functions.items = from->functions.items;
	to->functions.count = from->functions.count;
	to->failure = from->failure;
}

int main(int argc, char **argv)
{
	static struct copy first, second;
	struct trace_recording all = TRACE_RECORDING_INIT, marked = TRACE_RECORDING_INIT;
	struct symex_trace a = {.pool = NULL}, b = {.pool = NULL};
	struct symex_program *program;
	struct err e = ERR_INIT;

	if (argc != 4)
		return 2;
	copy_tasks(&all, &marked);
	if (trace_recording_read(argv[1], &all, &e) || symex_program_load(argv[2], &program, &e) ||
	    read_marks(argv[3], &marked, &e) ||
	    follow_source_init(&first.source, &all, program, &e))
		return printf("%s\n", e.text), 3;
	copy_tasks(&all, &first.to);
	first.marked = &marked;
	if (execute(&first, &a, &e))
		return printf("%s\n", e.text), 3;
	if (!followed(&a))
		return 4;
	for (size_t i = 0; i < marked.marks.count; i++)
		vec_push(&first.to.marks, marked.marks.items[i]);
	if (follow_source_init(&second.source, &first.to, program, &e))
		return printf("%s\n", e.text), 3;
	copy_tasks(&all, &second.to);
	second.marked = &marked;
	if (execute(&second, &b, &e))
		return printf("%s\n", e.text), 3;
	printf("%lu of %lu bits\n", (unsigned long)first.kept, (unsigned long)first.all);
	if (same(&a, &b))
		return 0;
	/* Stopped by something else than the stream, they need not have stopped at the same place.
	 */
	if (first.gave_up && followed(&b))
		return printf("a thread was stopped before its record ended\n"), 4;
	return 1;
}
