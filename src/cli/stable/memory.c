#include "cli/stable/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "base/proc.h"
#include "memo/file.h"
#include "memo/simplify.h"
#include "wire/memo.h"

static void say(const struct memory *m, const char *text)
{
	if (!m->quiet && !m->json)
		fprintf(stderr, "heddle stable: %s\n", text);
}

static void give_reason(struct memory *m, const char *text)
{
	if (!m->reason.length)
		strbuf_add(&m->reason, text);
	say(m, text);
}

/* A new file for the run, its name in the environment. */
static int temporary(const char *name, const char *variable, char **out, struct err *e)
{
	char *path = fs_temporary_pattern(name);
	int fd = mkstemp(path);

	if (fd < 0) {
		err_errno(e, ERR_IO, "cannot create %s", path);
		free(path);
		return ERR_IO;
	}
	close(fd);
	setenv(variable, path, 1);
	*out = path;
	return 0;
}

/* ---- before ---- */

static int write_order(struct memory *m, const struct memo_plan *plan, struct err *e)
{
	struct memo_replay head = {.magic = MEMO_REPLAY_MAGIC, .version = MEMO_REPLAY_VERSION};
	struct strbuf text = STRBUF_INIT;
	int rc;

	for (uint32_t i = 0; i < plan->count; i++)
		head.count += (uint32_t)plan->path[i]->schedule.count;
	strbuf_add_bytes(&text, &head, sizeof(head));
	for (uint32_t i = 0; i < plan->count; i++)
		if (plan->path[i]->schedule.count)
			strbuf_add_bytes(&text, plan->path[i]->schedule.items,
					 plan->path[i]->schedule.count *
						 sizeof(struct memo_element));
	rc = temporary("heddle-order", "HEDDLE_STABLE_REPLAY", &m->replay, e);
	if (!rc)
		rc = fs_write_file(m->replay, text.text, text.length, e);
	strbuf_free(&text);
	return rc;
}

static int use_plan(struct memory *m, const struct memo_plan *plan, struct err *e)
{
	const struct memo_entry *last = plan->path[plan->count - 1];

	m->hit = true;
	m->plan = last->id;
	m->races = last->races;
	for (uint32_t i = 0; i < plan->count; i++) {
		if (i)
			strbuf_add(&m->constraints, "; ");
		memo_terms_print(&plan->path[i]->conditions, &m->constraints);
	}
	setenv("HEDDLE_STABLE_POLICY", "rr", 1);
	return write_order(m, plan, e);
}

static int look_up(struct memory *m, struct err *e)
{
	struct memo_given given = {.argv = m->argv, .envp = environ};
	struct memo_plan plan;
	struct memo_cache c;
	struct err problem = ERR_INIT;
	int rc = 0;

	m->usable = true;
	if (!fs_exists(m->cache))
		return 0;
	if (memo_file_read_for(m->cache, m->build, &c, &problem)) {
		m->usable = false;
		give_reason(m, problem.text);
		return 0;
	}
	while (given.argv[given.argc])
		given.argc++;
	if (memo_cache_find(&c, &given, &plan))
		rc = use_plan(m, &plan, e);
	memo_cache_free(&c);
	return rc;
}

int memory_before(struct memory *m, const char *program, char *const *argv, struct err *e)
{
	int rc;

	m->program = program;
	m->argv = argv;
	/* Schedules that are remembered are of synchronisation alone. */
	setenv("HEDDLE_STABLE_STATE", "free", 0);
	rc = memo_file_build(program, m->build, e);
	if (!rc)
		rc = look_up(m, e);
	if (rc || m->hit)
		return rc;
	if (m->mode == MEMORY_SHADOW) {
		setenv("HEDDLE_STABLE_POLICY", "off", 1);
		return 0;
	}
	if (!m->policy)
		setenv("HEDDLE_STABLE_POLICY", "rr", 1);
	if (m->mode == MEMORY_LEARN && m->usable && !m->log) {
		rc = temporary("heddle-learn", "HEDDLE_STABLE_LOG", &m->own_log, e);
		setenv("HEDDLE_STABLE_STACKS", "1", 0);
	}
	return rc;
}

/* ---- after ---- */

static int count_use(void *arg, struct memo_cache *c, struct err *e)
{
	const struct memory *m = arg;

	(void)e;
	memo_cache_used(c, m->plan, !m->left);
	return 0;
}

static int add_lesson(void *arg, struct memo_cache *c, struct err *e)
{
	struct memory *m = ((void **)arg)[0];
	const struct memo_cache *lesson = ((void **)arg)[1];
	struct memo_solver *solver = memo_solver_new();
	struct memo_given given = {.argv = m->argv, .envp = environ};
	struct memo_plan plan;
	int rc = memo_cache_merge(c, lesson, memo_implies, solver, e);

	while (given.argv[given.argc])
		given.argc++;
	if (!rc && memo_cache_find(c, &given, &plan))
		m->plan = plan.path[plan.count - 1]->id;
	memo_solver_free(solver);
	return rc;
}

static void keep_lesson(struct memory *m, const char *path)
{
	struct memo_cache lesson;
	struct err e = ERR_INIT;
	void *both[2] = {m, &lesson};

	if (memo_file_read_for(path, m->build, &lesson, &e)) {
		give_reason(m, e.text);
		return;
	}
	memo_terms_print(&lesson.nodes.items[0].entries.items[0].conditions, &m->constraints);
	if (memo_file_update(m->cache, m->build, add_lesson, both, &e))
		give_reason(m, e.text);
	memo_cache_free(&lesson);
}

/* The text of a tool without its last line end. */
static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		text[--n] = 0;
}

/* heddle-memo executes the logged run in thought; it stands apart, for the compiler's libraries. */
static int ask_teacher(struct memory *m, const char *log, const char *out, struct proc_result *r,
		       struct err *e)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle-memo");
	size_t n = 0;
	char **command;
	int rc;

	while (m->argv[n])
		n++;
	command = xcalloc(n + 6, sizeof(*command));
	command[0] = tool;
	command[1] = (char *)log;
	command[2] = (char *)out;
	command[3] = (char *)"0";
	command[4] = (char *)m->program;
	for (size_t i = 0; i < n; i++)
		command[5 + i] = m->argv[i];
	rc = proc_run(command, PROC_CAPTURE | PROC_MERGE, r, e);
	free(command);
	free(tool);
	free(here);
	return rc;
}

static void learn(struct memory *m, const char *log)
{
	struct proc_result r = {0};
	struct err e = ERR_INIT;
	char *out = fs_temporary_pattern("heddle-lesson"), *text;
	int fd = mkstemp(out), rc;

	if (fd >= 0)
		close(fd);
	rc = fd < 0 ? err_errno(&e, ERR_IO, "cannot create %s", out)
		    : ask_teacher(m, log, out, &r, &e);
	if (rc) {
		give_reason(m, e.text);
	} else if (proc_exit_code(r.status)) {
		if (r.out)
			trim(r.out);
		if (WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGALRM)
			text = xasprintf("nothing is remembered: the run could not be followed "
					 "within %d seconds",
					 MEMO_PATIENCE_S);
		else
			text = xasprintf("nothing is remembered: %s",
					 r.out && *r.out ? r.out : "heddle-memo failed");
		give_reason(m, text);
		free(text);
	} else {
		m->races = (uint32_t)strtoul(r.out ? r.out : "0", NULL, 10);
		keep_lesson(m, out);
	}
	unlink(out);
	free(out);
	free(r.out);
}

/* The run is over and was left alone: the program runs once more, for heddle, and says nothing. */
static void learn_beside(struct memory *m)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle");
	char *cache = xasprintf("--memo=%s", m->cache);
	struct proc_result r = {0};
	struct err e = ERR_INIT;
	size_t n = 0, k = 0;
	char **command;

	while (m->argv[n])
		n++;
	command = xcalloc(n + 6, sizeof(*command));
	command[k++] = tool;
	command[k++] = (char *)"stable";
	command[k++] = (char *)"--quiet";
	command[k++] = cache;
	command[k++] = (char *)"--";
	for (size_t i = 0; i < n; i++)
		command[k++] = m->argv[i];
	unsetenv("HEDDLE_STABLE_POLICY");
	if (proc_run(command, PROC_QUIET, &r, &e))
		give_reason(m, e.text);
	free(command);
	free(cache);
	free(tool);
	free(here);
}

/* A line for programs. */
static void tell(const struct memory *m)
{
	struct strbuf text = STRBUF_INIT;
	struct json_out j;
	size_t kept = 0;

	json_out_init(&j, &text);
	json_out_object_begin(&j, NULL);
	json_out_bool(&j, "hit", m->hit && !m->left);
	if (m->plan)
		json_out_uint(&j, "schedule", m->plan);
	else
		json_out_string(&j, "schedule", NULL);
	json_out_string(&j, "constraints", m->constraints.text);
	json_out_uint(&j, "races", m->races);
	json_out_bool(&j, "left", m->left);
	json_out_string(&j, "reason", m->reason.text);
	json_out_object_end(&j);
	for (size_t i = 0; i < text.length; i++) {
		/* Line ends of the layout, with what indents the next line; texts have none. */
		if (text.text[i] != '\n')
			text.text[kept++] = text.text[i];
		else
			while (i + 1 < text.length && text.text[i + 1] == ' ')
				i++;
	}
	fprintf(stderr, "%.*s\n", (int)kept, text.text);
	strbuf_free(&text);
}

static void after_hit(struct memory *m, const struct stable_ctl *ctl)
{
	struct err e = ERR_INIT;
	struct memo_cache c;
	size_t wanted = 0;

	if (!memo_file_read_for(m->cache, m->build, &c, &e)) {
		const struct memo_entry *x = memo_cache_plan(&c, m->plan);

		wanted = x ? x->schedule.count : 0;
		memo_cache_free(&c);
	}
	m->left = ctl->replay != STABLE_REPLAY_FOLLOWED || ctl->replay_at != wanted;
	if (m->left)
		give_reason(m, "the program left the remembered schedule");
	if (memo_file_update(m->cache, m->build, count_use, m, &e))
		give_reason(m, e.text);
}

void memory_after(struct memory *m, const struct stable_ctl *ctl, int status)
{
	const char *log = m->own_log ? m->own_log : m->log;

	if (m->hit)
		after_hit(m, ctl);
	else if (m->mode == MEMORY_LEARN && m->usable && WIFSIGNALED(status))
		give_reason(m, "nothing is remembered: the program was ended by a signal");
	else if (m->mode == MEMORY_LEARN && m->usable && log)
		learn(m, log);
	else if (m->mode == MEMORY_SHADOW && m->usable)
		learn_beside(m);
	if (m->json)
		tell(m);
}

void memory_free(struct memory *m)
{
	if (m->replay)
		unlink(m->replay);
	if (m->own_log)
		unlink(m->own_log);
	free(m->replay);
	free(m->own_log);
	strbuf_free(&m->constraints);
	strbuf_free(&m->reason);
}
