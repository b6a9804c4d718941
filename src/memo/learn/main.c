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

static int add_conditions(struct follow *f, struct memo_terms *to, struct err *e)
{
	struct between_result needed = {0};
	int rc = 0;

	between_resolve(f, &needed);
	for (size_t i = 0; i < needed.count && !rc; i++) {
		size_t count;
		const uint32_t *reads;
		expr_value value;

		/* What was unknown in between may be a number after all. */
		if (expr_is_const(f->m->pool, needed.items[i], &value) && value)
			continue;
		reads = expr_reads(f->m->pool, needed.items[i], &count);
		for (size_t k = 0; k < count; k++)
			if (reads[k] >= f->inputs.count ||
			    f->inputs.items[reads[k]].kind == MEMO_KINDS)
				rc = err_set(e, ERR_UNSUPPORTED,
					     "a condition depends on what only the run knew");
		if (!rc && !memo_terms_add(to, f->m->pool, needed.items[i], f->inputs.items))
			bind_inputs(f, reads, count, to);
	}
	vec_free(&needed);
	return rc;
}

static void take_schedule(const struct stable_log *log, const uint32_t *holds,
			  struct memo_schedule *to)
{
	for (size_t i = 0; i < log->op_count; i++) {
		const struct stable_entry *x = log->ops[i];

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

static int learn(const char *log_path, char *const *argv, struct lesson *l, struct err *e)
{
	struct follow f = {0};
	struct races races = {0};
	struct stable_log log;
	struct memo_solver *solver;
	uint32_t *holds;
	int rc = stable_log_open(&log, log_path, e);

	if (rc)
		return rc;
	holds = xcalloc(log.op_count + 1, sizeof(*holds));
	if (!log.header.complete)
		rc = err_set(e, ERR_INCOMPLETE, "the run did not come to an orderly end");
	if (!rc)
		rc = follow_run(&f, argv[0], &log, argv + 1, environ, e);
	if (!rc)
		races_find(f.accesses.items, f.accesses.count, holds, (uint32_t)log.op_count,
			   &races);
	if (!rc && races.left.count)
		rc = say_race(&f, &races.left.items[0], e);
	for (size_t i = 0; i < races.possible.count; i++)
		f.betweens.items[races.possible.items[i] - 1].kept = true;
	if (!rc)
		rc = add_conditions(&f, &l->part.conditions, e);
	if (!rc) {
		solver = memo_solver_new();
		memo_simplify(solver, &l->part.conditions);
		memo_solver_free(solver);
		take_schedule(&log, holds, &l->part.schedule);
		l->races = (uint32_t)races.ordered.count;
		rc = check_plan(&f, l, e);
	}
	free(holds);
	races_free(&races);
	follow_free(&f);
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
