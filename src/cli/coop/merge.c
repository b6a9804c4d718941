/* heddle coop merge: from partial logs to a bundle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/coop/coop.h"
#include "cli/coop/merge.h"
#include "cli/exit.h"
#include "coop/merge.h"
#include "coop/signature.h"
#include "record/binary.h"
#include "record/derive.h"

#define TROUBLES 8 /* so many executions may give no answer before it is given up */
#define REPLAYS 20 /* of what was found, before it is said to be reproduced */
#define PROGRESS_NS UINT64_C(200000000)

/* ---- the logs ---- */

static int by_count(const void *x, const void *y)
{
	const struct merge_group *a = x, *b = y;

	if (a->logs != b->logs)
		return a->logs > b->logs ? -1 : 1;
	return strcmp(a->signature, b->signature);
}

static void count_failure(struct merge *m, const char *signature)
{
	for (size_t i = 0; i < m->groups.count; i++)
		if (!strcmp(m->groups.items[i].signature, signature)) {
			m->groups.items[i].logs++;
			return;
		}
	vec_push(&m->groups, ((struct merge_group){signature, 1}));
}

static const char *kind_text(unsigned flavour)
{
	static const char *const texts[COOP_FLAVOURS] = {"elements", "blocks",
							 "the one order of all blocks"};

	return texts[flavour];
}

static int check_build(const struct merge *m, const struct cli_coop_file *f, struct err *e)
{
	const struct coop_log *l = &f->log;

	if (l->flavour != m->elements.flavour &&
	    coop_build_same_program(l->build, m->elements.build))
		return err_set(e, ERR_MISMATCH, "%s is a log of %s, %s is one of %s", f->path,
			       kind_text(l->flavour), m->files.items[0]->path,
			       kind_text(m->elements.flavour));
	if (memcmp(l->build, m->elements.build, sizeof(l->build)) != 0 ||
	    l->elements != m->elements.names.count)
		return err_set(e, ERR_MISMATCH, "%s is a log of another build than %s", f->path,
			       m->program);
	return 0;
}

/* Logs of one failure each; the one of most logs, or the one that is asked for, is looked at. */
static int choose_failure(struct merge *m, struct err *e)
{
	if (!m->groups.count)
		return 0;
	qsort(m->groups.items, m->groups.count, sizeof(*m->groups.items), by_count);
	for (size_t i = 0; i < m->groups.count && !m->signature; i++)
		if (!m->o->failure || strstr(m->groups.items[i].signature, m->o->failure))
			m->signature = m->groups.items[i].signature;
	if (!m->signature)
		return err_set(e, ERR_NOT_FOUND, "no log has a failure with '%s'", m->o->failure);
	return 0;
}

static int sort_logs(struct merge *m, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < m->files.count && !rc; i++) {
		const struct coop_log *l = &m->files.items[i]->log;

		rc = check_build(m, m->files.items[i], e);
		if (!rc && l->outcome != COOP_OK)
			count_failure(m, l->signature);
	}
	if (!rc)
		rc = choose_failure(m, e);
	for (size_t i = 0; i < m->files.count && !rc; i++) {
		const struct coop_log *l = &m->files.items[i]->log;

		if (l->outcome == COOP_OK)
			vec_push(&m->passed, l);
		else if (!strcmp(l->signature, m->signature))
			vec_push(&m->failed, l);
	}
	if (!rc && m->failed.count)
		rc = coop_set_init(&m->set, m->failed.items, m->failed.count, e);
	return rc;
}

/* ---- attempts ---- */

static void progress(const struct merge *m)
{
	static uint64_t next;

	if (m->exec.quiet || !isatty(2) || limit_now() < next)
		return;
	next = limit_now() + PROGRESS_NS;
	fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " attempts", m->attempts, m->o->attempts);
}

static struct coop_merge *new_merge(struct merge *m, enum coop_heuristic heuristic)
{
	struct coop_merge_opts o = {.heuristic = heuristic,
				    .similarity = (enum coop_similarity)m->o->similarity,
				    .passed = m->passed.items,
				    .passed_count = m->passed.count,
				    .near = m->near,
				    .random = m->round > 0,
				    .seed = m->o->seed + m->round};

	return coop_merge_new(&m->set, &o);
}

/* When all combinations were tried, again: what no log orders is drawn anew. */
static const struct coop_candidate *next_of(struct merge *m, struct coop_merge **merge)
{
	const struct coop_candidate *c = coop_merge_next(*merge);
	enum coop_heuristic heuristic = coop_merge_heuristic(*merge);

	if (c)
		return c;
	coop_merge_free(*merge);
	m->round++;
	*merge = new_merge(m, heuristic);
	return coop_merge_next(*merge);
}

/*
 * AUTO: what got stuck with less first; then twice by SOLVE, a log with soft orders of others and
 * alone, and once by the heuristic.
 */
static const struct coop_candidate *next(struct merge *m, const char **way)
{
	const struct coop_candidate *c = m->solve ? coop_relax_next(&m->relax) : NULL;
	struct coop_merge **merge = &m->merge;

	*way = m->heuristic;
	if (c)
		return c;
	if (m->solve && m->turn++ % 3 < 2)
		merge = &m->solve;
	*way = coop_heuristic_name(coop_merge_heuristic(*merge));
	return next_of(m, merge);
}

static void fill(struct merge *m, struct coop_oracle *oracle)
{
	oracle->count = 0;
	while (oracle->count < COOP_AT_A_TIME && m->attempts + oracle->count < m->o->attempts) {
		size_t i = oracle->count;
		const struct coop_candidate *c = next(m, &m->way[i]);
		struct wire_job job = m->exec.job;

		if (!c)
			break;
		job.seed = m->o->seed + m->attempts + i;
		coop_candidate_free(m->under_way[i]);
		m->under_way[i] = coop_candidate_copy(c, m->set.elements);
		coop_oracle_add(oracle, &m->elements, &m->set, c, &job);
	}
}

static void note_stuck(struct merge *m, size_t i, const struct coop_attempt *a)
{
	const struct coop_candidate *c = m->under_way[i];
	uint32_t element, other;

	m->stuck++;
	m->limits += a->result.verdict == RUN_LIMIT;
	if (!coop_oracle_clash(a, &element, &other))
		return;
	if (element != other)
		coop_merge_clash(m->merge, c->kinds[element], c->kinds[other]);
	if (m->solve)
		coop_relax_stuck(&m->relax, c, element, other);
}

static void keep(struct merge *m, struct coop_attempt *a)
{
	m->found = (struct run_finding){.key = run_result_key(&a->result), .count = 1};
	m->found.job = a->job;
	m->found.job.strategy = STRATEGY_REPLAY;
	m->found.job.seed = a->result.wire.seed;
	m->found.result = a->result;
	a->result = (struct run_result)RUN_RESULT_INIT;
	m->is_found = true;
}

static void judge(struct merge *m, size_t i, struct coop_attempt *a)
{
	m->attempts++;
	switch (a->result.verdict) {
	case RUN_FAILURE:
		if (repro_match(&m->match, &a->result) == REPRO_SAME) {
			m->fails++;
			keep(m, a);
			return;
		}
		m->passes++;
		return;
	case RUN_DIVERGED:
	case RUN_LIMIT:
		note_stuck(m, i, a);
		return;
	case RUN_TROUBLE:
	case RUN_HUNG:
	case RUN_STEPDOWN:
		m->stuck++;
		m->troubles++;
		snprintf(m->reason, sizeof(m->reason), "%s", a->result.reason);
		return;
	case RUN_STOPPED:
		m->attempts--;
		return;
	default:
		m->passes++;
	}
}

static bool goes_on(const struct merge *m)
{
	return !m->is_found && m->attempts < m->o->attempts && m->troubles < TROUBLES &&
	       limit_reached(&m->exec.limit) == LIMIT_NONE;
}

static int try_all(struct merge *m, struct run_guest *guest, struct err *e)
{
	struct coop_oracle *oracle = xcalloc(1, sizeof(*oracle));
	int rc = coop_oracle_init(oracle, &m->exec.engine, guest, &m->exec.guest, e);

	coop_relax_init(&m->relax, m->set.elements);
	m->merge = new_merge(m, (enum coop_heuristic)m->o->heuristic);
	if (m->o->heuristic == COOP_AUTO)
		m->solve = new_merge(m, COOP_SOLVE);
	m->heuristic = coop_heuristic_name(coop_merge_heuristic(m->merge));
	while (!rc && goes_on(m)) {
		fill(m, oracle);
		if (!oracle->count)
			break;
		rc = coop_oracle_run(oracle, e);
		for (size_t i = 0; i < oracle->count && !rc && !m->is_found; i++) {
			judge(m, i, &oracle->attempts[i]);
			m->heuristic = m->is_found ? m->way[i] : m->heuristic;
		}
		progress(m);
	}
	if (!m->exec.quiet && isatty(2))
		fprintf(stderr, "\r\033[K");
	for (unsigned i = 0; i < COOP_AT_A_TIME; i++)
		coop_candidate_free(m->under_way[i]);
	coop_relax_fini(&m->relax);
	coop_merge_free(m->merge);
	coop_merge_free(m->solve);
	coop_oracle_fini(oracle);
	free(oracle);
	return rc;
}

/* ---- the bundle ---- */

static int replay(struct merge *m, struct run_guest *guest, struct err *e)
{
	const struct trace_bundle *b = &m->kept.bundle;
	struct run_again again = {.engine = &m->exec.engine, .guest = guest, .job = m->found.job};
	struct run_result r = RUN_RESULT_INIT;
	int rc = 0;

	while (!rc && m->replays < REPLAYS) {
		struct wire_job job =
			run_again_job(&again.job, JOB_EVENTS | JOB_EXACT, b->schedule.count);

		rc = run_last(&again, &job, b->schedule.items, &r, e);
		m->replays++;
		m->replayed += !rc && run_compare(b, &r).kind == RUN_SAME;
	}
	run_result_free(&r);
	return rc;
}

static int write_bundle(struct merge *m, struct run_guest *guest, struct err *e)
{
	struct strbuf note = STRBUF_INIT;
	struct cli_finding ctx = {
		.exec = &m->exec, .out = &m->out, .guest = guest, .simplify = true};
	struct err why = ERR_INIT;
	int rc;

	strbuf_addf(&note, "put together from %zu partial logs (%s) at attempt %" PRIu64,
		    m->failed.count, m->heuristic, m->attempts);
	ctx.note = note.text;
	rc = cli_finding_keep(&ctx, &m->found, &m->kept, &why);
	strbuf_free(&note);
	if (rc == ERR_MISMATCH) {
		snprintf(m->reason, sizeof(m->reason),
			 "what failed did not fail again under its own schedule: %s", why.text);
		return 0;
	}
	if (rc) {
		*e = why;
		return rc;
	}
	m->is_kept = true;
	return replay(m, guest, e);
}

/* ---- the command ---- */

/* The program as it is run under control, and its arguments. */
static int begin_program(struct merge *m, struct err *e)
{
	enum record_binary_kind kind;
	VEC(char *) words = VEC_INIT;
	char *copy = m->o->args ? xstrdup(m->o->args) : NULL, *save = NULL;
	int rc = record_binary_check(m->program, &kind, e);

	if (!rc && kind != RECORD_BINARY_CHECK)
		rc = record_derive(m->program, "check", &m->derived, e);
	vec_push(&words, m->derived ? m->derived : (char *)m->program);
	for (char *w = copy ? strtok_r(copy, " \t", &save) : NULL; w;
	     w = strtok_r(NULL, " \t", &save))
		vec_push(&words, w);
	vec_push(&words, NULL);
	if (!rc)
		rc = cli_exec_begin(&m->exec, "coop", &m->o->exec, words.items, true, e);
	vec_free(&words);
	free(copy);
	return rc;
}

static int merge(struct merge *m, struct err *e)
{
	struct run_guest *guest = NULL;
	int rc = begin_program(m, e);

	m->begun = true;
	m->exec.job.flags |= JOB_DESTROY_BUSY;
	m->exec.job.seed = m->o->seed;
	if (!rc)
		rc = coop_signature_parse(m->signature, &m->failure, e);
	if (!rc) {
		struct coop_line at = {m->failure.place.file, m->failure.place.line};

		m->near = xcalloc(m->elements.names.count + 1, sizeof(*m->near));
		coop_elements_at(&m->elements, m->derived ? m->derived : m->program, &at, m->near);
		rc = cli_out_init(&m->out, m->o->out, m->program, e);
	}
	if (!rc)
		rc = run_guest_new(&m->exec.guest, &guest, e);
	if (!rc) {
		repro_match_init(&m->match, &m->failure);
		rc = try_all(m, guest, e);
	}
	if (!rc && m->is_found)
		rc = write_bundle(m, guest, e);
	run_guest_free(guest);
	return rc;
}

static void end(struct merge *m)
{
	if (m->is_kept)
		cli_kept_fini(&m->kept);
	run_result_free(&m->found.result);
	repro_match_fini(&m->match);
	trace_recording_fini(&m->failure);
	if (m->set.kind_of)
		coop_set_fini(&m->set);
	vec_free(&m->groups);
	vec_free(&m->failed);
	vec_free(&m->passed);
	cli_coop_files_fini(&m->files);
	coop_elements_fini(&m->elements);
	cli_out_fini(&m->out);
	if (m->begun)
		cli_exec_end(&m->exec);
	free(m->derived);
	free(m->near);
}

int cli_coop_merge(const struct cli_coop_opts *o, int argc, char **argv)
{
	struct merge m = {.o = o,
			  .begin_ns = limit_now(),
			  .failure = TRACE_RECORDING_INIT,
			  .found = {.result = RUN_RESULT_INIT}};
	struct err e = ERR_INIT;
	int rc = 0;

	if (argc < 2)
		rc = err_set(&e, ERR_USAGE, argc ? "a log is missing" : "a program is missing");
	m.program = argc ? argv[0] : NULL;
	for (int i = 1; i < argc && !rc; i++)
		rc = cli_coop_read(&m.files, argv[i], &e);
	/* Of what kind the elements are the logs say. */
	if (!rc)
		rc = coop_elements_find(&m.elements, m.program,
					(enum coop_flavour)m.files.items[0]->log.flavour, &e);
	if (!rc)
		rc = sort_logs(&m, &e);
	if (!rc && m.failed.count)
		rc = merge(&m, &e);
	rc = rc ? cli_exit_error("coop", &e) : cli_coop_merge_say(&m);
	end(&m);
	return rc;
}
