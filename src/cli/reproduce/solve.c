/* A schedule computed by heddle-solve, and run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"
#include "cli/reproduce/run.h"
#include "repro/answer.h"

#define ANSWER_BYTES (1u << 30)

struct solved {
	struct repro_answer head;
	char *bytes; /* the whole file */
};

/* Both files are ours, but a disk may be full. */
static int read_answer(const char *path, struct solved *s, struct err *e)
{
	size_t n;
	int rc = fs_read_file(path, ANSWER_BYTES, &s->bytes, &n, e);

	if (rc != 0)
		return rc;
	if (n < sizeof(s->head))
		return err_set(e, ERR_FORMAT, "heddle-solve gave no answer");
	memcpy(&s->head, s->bytes, sizeof(s->head));
	if (s->head.magic != REPRO_ANSWER_MAGIC ||
	    s->head.choices != (n - sizeof(s->head)) / sizeof(struct wire_choice) ||
	    s->head.answer > SOLVE_UNKNOWN || s->head.model >= MODEL_COUNT)
		return err_set(e, ERR_FORMAT, "heddle-solve gave an answer that makes no sense");
	s->head.reason[sizeof(s->head.reason) - 1] = '\0';
	return 0;
}

static int ask(struct cli_reproduce *x, const char *dir, uint64_t ns, struct solved *s,
	       struct err *e)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle-solve");
	char *path = fs_temporary_pattern("heddle-solve"), models[16], time[32];
	char *argv[] = {tool,
			(char *)dir,
			x->exec.program.path,
			path,
			(char *)(x->by_core ? "core" : "plain"),
			models,
			time,
			NULL};
	struct proc_result result = {0};
	unsigned bits = 0;
	int fd = mkstemp(path), rc = 0;

	for (int m = MODEL_SC; m < MODEL_COUNT; m++)
		bits |= x->models[m] ? 1u << m : 0;
	snprintf(models, sizeof(models), "%u", bits);
	snprintf(time, sizeof(time), "%" PRIu64, ns);
	if (fd < 0)
		rc = err_errno(e, ERR_IO, "cannot make %s", path);
	if (rc == 0)
		rc = proc_run(argv, PROC_CAPTURE | PROC_MERGE, &result, e);
	if (rc == 0 && proc_exit_code(result.status) > 128)
		rc = err_set(e, ERR_LIMIT, "no answer in time");
	else if (rc == 0 && proc_exit_code(result.status) != 0)
		rc = err_set(e, ERR_TOOL, "%.*s", (int)strcspn(result.out, "\n"), result.out);
	if (rc == 0)
		rc = read_answer(path, s, e);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(result.out);
	free(path);
	free(tool);
	free(here);
	return rc;
}

static void take_counts(struct cli_reproduce *x, const struct repro_answer *a)
{
	x->counts = (struct strace_counts){a->vars, a->total, a->rw, a->path, a->sync, a->order};
	x->events = a->events;
	x->solve_ns += a->execute_ns + a->solve_ns;
}

/* The schedule has to fail as recorded, or it is worth nothing. */
static int try_schedule(struct cli_reproduce *x, struct run_guest *guest, const struct solved *s,
			struct err *e)
{
	const struct wire_choice *choices =
		(const struct wire_choice *)(const void *)(s->bytes + sizeof(s->head));
	struct run_again again = {.engine = &x->exec.engine, .guest = guest, .job = x->exec.job};
	struct run_result r = RUN_RESULT_INIT;
	int rc;

	again.job.model = s->head.model;
	rc = run_again(&again, JOB_EVENTS | JOB_WISH, choices, s->head.choices, &r, e);
	x->stats.runs++;
	if (rc == 0 && r.verdict == RUN_FAILURE && repro_match(&x->match, &r) == REPRO_SAME) {
		x->found = (struct run_finding){.key = run_result_key(&r), .count = 1};
		x->found.job = again.job;
		x->found.result = r;
		x->is_found = true;
		return 0;
	}
	if (rc == 0)
		strbuf_addf(&x->why, "solve: the computed schedule did not fail like that (%s%s%s)",
			    r.verdict == RUN_FAILURE ? x->match.last_other
						     : run_verdict_name(r.verdict),
			    *r.reason ? ": " : "", r.reason);
	run_result_free(&r);
	return rc;
}

int cli_reproduce_solve(struct cli_reproduce *x, struct run_guest *guest, const char *dir,
			uint64_t ns, struct err *e)
{
	struct solved s = {.bytes = NULL};
	struct err why = ERR_INIT;
	int rc = ask(x, dir, ns, &s, &why);

	if (rc == 0)
		take_counts(x, &s.head);
	if (rc != 0)
		strbuf_addf(&x->why, "solve: %s", why.text);
	else if (s.head.answer == SOLVE_SAT)
		rc = try_schedule(x, guest, &s, e);
	else
		strbuf_addf(&x->why, "solve: %s", s.head.reason);
	free(s.bytes);
	return rc < 0 && e->code ? rc : 0;
}
