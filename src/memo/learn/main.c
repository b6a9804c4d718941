/* heddle-memo: what a logged run teaches about other inputs.  For heddle stable, not for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "memo/file.h"
#include "memo/learn/follow.h"
#include "memo/learn/races.h"
#include "memo/simplify.h"

#define CONDITIONS_OF_ONE 300

/* Where conditions have no words for an operation, all it is made of stays as it was. */
static void bind_inputs(struct follow *f, const uint32_t *reads, size_t count,
			struct memo_terms *to)
{
	for (size_t k = 0; k < count; k++) {
		unsigned width = f->inputs.items[reads[k]].width;
		expr_id e = expr_binary(f->m->pool, EXPR_EQ, expr_read(f->m->pool, reads[k], width),
					expr_const(f->m->pool, width, f->given.items[reads[k]]));

		(void)memo_terms_add(to, f->m->pool, e, f->inputs.items);
	}
}

/*
 * Inputs that hundreds of conditions speak of, as when a size decides every address: they are what
 * they were, which says no less than all those, and can be said at once.
 */
static bool *bind_frequent(struct follow *f, const struct between_result *needed,
			   struct memo_terms *to)
{
	uint32_t *often = xcalloc(f->inputs.count + 1, sizeof(*often));
	bool *bound = xcalloc(f->inputs.count + 1, sizeof(*bound));
	bool *seen = xcalloc(expr_count(f->m->pool) + 1, sizeof(*seen));

	for (size_t i = 0; i < needed->count; i++) {
		size_t count;
		const uint32_t *reads = expr_reads(f->m->pool, needed->items[i], &count);

		if (seen[needed->items[i]])
			continue;
		seen[needed->items[i]] = true;
		for (size_t k = 0; k < count; k++)
			if (reads[k] < f->inputs.count)
				often[reads[k]]++;
	}
	for (uint32_t r = 0; r < f->inputs.count; r++) {
		bound[r] = often[r] > CONDITIONS_OF_ONE && f->inputs.items[r].kind != MEMO_KINDS;
		if (bound[r])
			bind_inputs(f, &r, 1, to);
	}
	free(often);
	free(seen);
	return bound;
}

static bool all_bound(const bool *bound, size_t inputs, const uint32_t *reads, size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (reads[k] >= inputs || !bound[reads[k]])
			return false;
	return count > 0;
}

static int add_conditions(struct follow *f, struct memo_terms *to, struct err *e)
{
	struct between_result needed = {0};
	bool *bound;
	int rc = 0;

	between_resolve(f, &needed);
	bound = bind_frequent(f, &needed, to);
	for (size_t i = 0; i < needed.count && !rc; i++) {
		size_t count;
		const uint32_t *reads;
		expr_value value;

		/* What was unknown in between may be a number after all. */
		if (expr_is_const(f->m->pool, needed.items[i], &value) && value)
			continue;
		reads = expr_reads(f->m->pool, needed.items[i], &count);
		if (all_bound(bound, f->inputs.count, reads, count))
			continue;
		for (size_t k = 0; k < count; k++)
			if (reads[k] >= f->inputs.count ||
			    f->inputs.items[reads[k]].kind == MEMO_KINDS)
				rc = err_set(e, ERR_UNSUPPORTED,
					     "a condition depends on what only the run knew");
		if (!rc && !memo_terms_add(to, f->m->pool, needed.items[i], f->inputs.items))
			bind_inputs(f, reads, count, to);
	}
	free(bound);
	vec_free(&needed);
	return rc;
}

static void take_schedule(const struct follow *f, const uint32_t *holds, struct memo_schedule *to)
{
	for (size_t i = 0; i < f->ops.count; i++) {
		const struct stable_entry *x = f->ops.items[i];

		vec_push(to, ((struct memo_element){.tid = x->tid,
						    .op = x->op,
						    .res = x->res,
						    .obj = x->obj,
						    .hold = holds[i]}));
	}
}

static int say_race(const struct follow *f, const struct race *r, struct err *e)
{
	char a[256], b[256];

	follow_place(f, r->a.site, a, sizeof(a));
	follow_place(f, r->b.site, b, sizeof(b));
	return err_set(e, ERR_UNSUPPORTED, "the schedule leaves a race open: %s and %s", a, b);
}

/* What the plan itself is not about. */
struct lesson {
	struct memo_part part;
	uint32_t races; /* put in order by holds */
};

static int check_plan(const struct follow *f, const struct lesson *l, struct err *e)
{
	if (memo_terms_check(&l->part.conditions, e))
		return err_wrap(e, "internal: conditions");
	/* The run itself must be one of those it speaks of. */
	if (!memo_terms_hold(&l->part.conditions, &f->argv))
		return err_set(e, ERR_INTERNAL, "the conditions do not hold for the run itself");
	return 0;
}

/* What other inputs must not do, and what is left: the plan. */
static int make_plan(struct follow *f, const struct races *races, const uint32_t *holds,
		     struct lesson *l, struct err *e)
{
	struct memo_solver *solver;
	int rc;

	if (races->left.count)
		return say_race(f, &races->left.items[0], e);
	for (size_t i = 0; i < races->possible.count; i++)
		f->betweens.items[races->possible.items[i] - 1].kept = true;
	rc = add_conditions(f, &l->part.conditions, e);
	if (rc)
		return rc;
	solver = memo_solver_new();
	memo_simplify(solver, &l->part.conditions);
	memo_solver_free(solver);
	take_schedule(f, holds, &l->part.schedule);
	l->races = (uint32_t)races->ordered.count;
	return check_plan(f, l, e);
}

/* *again: the schedule as it was logged does not order races as they were followed. */
static int follow_and_plan(const struct stable_log *log, char *const *argv, bool stands,
			   struct lesson *l, bool *again, struct err *e)
{
	uint32_t *holds = xcalloc(log->op_count + 1, sizeof(*holds));
	struct follow f = {0};
	struct races races = {0};
	int rc = follow_run(&f, stands, argv[0], log, argv + 1, environ, e);

	if (!rc)
		races_find(f.accesses.items, f.accesses.count, holds, (uint32_t)f.ops.count,
			   &races);
	*again = !rc && races.crossed;
	if (!rc && !races.crossed)
		rc = make_plan(&f, &races, holds, l, e);
	free(holds);
	races_free(&races);
	follow_free(&f);
	return rc;
}

static int learn(const char *log_path, char *const *argv, struct lesson *l, struct err *e)
{
	struct stable_log log;
	bool again = false;
	int rc = stable_log_open(&log, log_path, e);

	if (rc)
		return rc;
	if (!log.header.complete)
		rc = err_set(e, ERR_INCOMPLETE, "the run did not come to an orderly end");
	if (!rc)
		rc = follow_and_plan(&log, argv, true, l, &again, e);
	if (!rc && again)
		rc = follow_and_plan(&log, argv, false, l, &again, e);
	if (!rc && again)
		rc = err_set(e, ERR_INTERNAL, "races are ordered in two ways");
	stable_log_close(&log);
	return rc;
}

static int write_lesson(const char *path, const char *program, const struct lesson *l,
			uint8_t scheduler, struct err *e)
{
	struct memo_entry about = {.child = MEMO_NONE, .scheduler = scheduler};
	struct strbuf text = STRBUF_INIT;
	struct memo_cache c;
	int rc;

	memo_cache_init(&c);
	rc = memo_file_build(program, c.build, e);
	if (!rc) {
		(void)memo_cache_insert(&c, &l->part, 1, &about, NULL, NULL);
		memo_file_put(&c, &text);
		rc = fs_write_file(path, text.text, text.length, e);
	}
	strbuf_free(&text);
	memo_cache_free(&c);
	return rc;
}

/* heddle-memo LOG OUT SCHEDULER PROGRAM ARGUMENT...; the arguments begin with the program's name.
 */
int main(int argc, char **argv)
{
	struct lesson l = {0};
	struct err e = ERR_INIT;
	int rc;

	if (argc < 6) {
		fprintf(stderr, "heddle-memo: this is a part of heddle stable\n");
		return 2;
	}
	alarm(MEMO_PATIENCE_S);
	rc = learn(argv[1], argv + 4, &l, &e);
	if (!rc)
		rc = write_lesson(argv[2], argv[4], &l, (uint8_t)atoi(argv[3]), &e);
	if (rc)
		fprintf(stderr, "%s\n", e.text);
	else
		printf("%u\n", l.races);
	memo_terms_free(&l.part.conditions);
	memo_schedule_free(&l.part.schedule);
	return rc == 0 ? 0 : rc == ERR_UNSUPPORTED || rc == ERR_INCOMPLETE ? 4 : 3;
}
