#include "collect/merge.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"
#include "collect/programs.h"
#include "collect/say.h"
#include "collect/worker.h"

#define TICK_SECONDS 1
#define FAILING 500 /* logs for one merge */
#define PASSING 50
#define MAX_SAID 400
#define MAX_OUTPUT ((size_t)1 << 20)
#define GRACE 30 /* seconds more than the command itself takes */

struct collect_merge {
	struct collect_service *service;
	struct collect_merge_opts o;
	struct store_logs *store;
	struct collect_programs programs;
	char *heddle, *self, *work;
	uid_t uid;
	gid_t gid;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t over;
	_Atomic bool ends;
};

/* One merge: its directory, and what was written there. */
struct task {
	struct collect_merge *m;
	const struct collect_program *program;
	char *dir, *logs;
	unsigned written;
	struct store_failure *f;
	struct strbuf bundle;
};

/* ---- the logs ---- */

static int put_log(void *arg, const void *bytes, size_t n, struct err *e)
{
	struct task *t = arg;
	struct strbuf plain = STRBUF_INIT;
	char name[32], *path;
	int rc = collect_plain(bytes, n, &t->m->service->sizes, &plain, e);

	snprintf(name, sizeof(name), "%06u.crep", ++t->written);
	path = fs_join(t->logs, name);
	if (!rc)
		rc = fs_write_file(path, plain.text, plain.length, e);
	if (!rc && t->m->uid && chown(path, t->m->uid, t->m->gid) != 0)
		rc = err_errno(e, ERR_IO, "cannot hand over %s", path);
	free(path);
	strbuf_free(&plain);
	return rc;
}

static int make_dir(struct task *t, struct err *e)
{
	t->dir = xasprintf("%s/heddle-merge.XXXXXX", t->m->work);
	if (!mkdtemp(t->dir)) {
		int rc = err_errno(e, ERR_IO, "cannot make %s", t->dir);

		free(t->dir);
		t->dir = NULL;
		return rc;
	}
	t->logs = fs_join(t->dir, "logs");
	if (mkdir(t->logs, 0700) != 0)
		return err_errno(e, ERR_IO, "cannot make %s", t->logs);
	if (t->m->uid &&
	    (chown(t->dir, t->m->uid, t->m->gid) != 0 || chown(t->logs, t->m->uid, t->m->gid) != 0))
		return err_errno(e, ERR_IO, "cannot hand over %s", t->dir);
	return 0;
}

static int put_logs(struct task *t, const struct store_failures *all, struct err *e)
{
	int rc = store_logs_each(t->m->store, t->f->id, FAILING, put_log, t, e);

	for (size_t i = 0; i < all->count && !rc; i++)
		if (!*all->items[i].signature &&
		    !memcmp(all->items[i].build, t->f->build, sizeof(t->f->build)))
			rc = store_logs_each(t->m->store, all->items[i].id, PASSING, put_log, t, e);
	return rc;
}

/* ---- the commands ---- */

static int run(struct task *t, char *const argv[], const char *output, int *code, struct err *e)
{
	struct collect_worker w = {.dir = t->dir,
				   .programs = t->m->programs.dir,
				   .self = t->m->self,
				   .uid = t->m->uid,
				   .gid = t->m->gid,
				   .seconds = t->m->o.seconds + GRACE,
				   .stop = &t->m->ends};
	int status = 0, rc = collect_worker_run(&w, argv, output, &status, e);

	*code = rc ? 3 : proc_exit_code(status);
	return rc;
}

/* A worker's words: one line, printable, not long. */
static char *tidy(const char *text)
{
	struct strbuf to = STRBUF_INIT;

	for (; *text && to.length < MAX_SAID; text++)
		strbuf_add_char(&to, isprint((unsigned char)*text) ? *text : ' ');
	return strbuf_take(&to);
}

/* What the command said of itself in its object; otherwise the beginning of what it printed. */
static char *words_of(const char *path)
{
	static const char key[] = "\n  \"text\": \"";
	struct err e = ERR_INIT;
	char *text = NULL, *from, *end, *said;
	size_t n;

	/* Who wrote it is not trusted: what is there must be a file of its own. */
	if (fs_read_file_here(path, MAX_OUTPUT, &text, &n, &e))
		return xstrdup("");
	from = strstr(text, key);
	from = from ? from + strlen(key) : text;
	end = from != text ? strstr(from, "\",\n") : NULL;
	if (end)
		*end = '\0';
	said = tidy(from);
	free(text);
	return said;
}

static int read_bundle(struct task *t, const char *path, struct err *e)
{
	char *bytes = NULL;
	size_t n;
	int rc = fs_read_file_here(path, t->m->o.max_bundle, &bytes, &n, e);

	if (!rc)
		strbuf_add_bytes(&t->bundle, bytes, n);
	free(bytes);
	return rc;
}

static int pack(struct task *t, const char *bundle, struct err *e)
{
	char *to = fs_join(t->dir, "failure.heddle-pack"), *output = fs_join(t->dir, "pack.out");
	char *argv[] = {t->m->heddle,	"pack", "--config=none", "--no-sources", "-q", "-o", to,
			(char *)bundle, NULL};
	int code, rc = run(t, argv, output, &code, e);

	if (!rc && code) {
		char *said = words_of(output);

		rc = err_set(e, ERR_TOOL, "the bundle cannot be packed: %s", said);
		free(said);
	}
	if (!rc)
		rc = read_bundle(t, to, e);
	free(to);
	free(output);
	return rc;
}

static int merge(struct task *t, struct err *e)
{
	char *out = fs_join(t->dir, "failure.heddle"), *output = fs_join(t->dir, "merge.out");
	char *attempts = xasprintf("--attempts=%" PRIu64, t->m->o.attempts);
	char *seconds = xasprintf("--time=%us", t->m->o.seconds);
	char *args = xasprintf("--args=%s", t->program->args ? t->program->args : "");
	char *argv[] = {
		t->m->heddle, "coop", "merge", "--config=none",	 "--json", "-q", attempts, seconds,
		args,	      "-o",   out,     t->program->path, t->logs,  NULL};
	int code, rc = run(t, argv, output, &code, e);

	if (!rc) {
		free(t->f->text);
		t->f->text = words_of(output);
		t->f->state = code == 1	  ? STORE_MERGE_REPRODUCED
			      : code == 4 ? STORE_MERGE_INCONCLUSIVE
					  : STORE_MERGE_FAILED;
		if (code == 1)
			rc = pack(t, out, e);
	}
	free(out);
	free(output);
	free(attempts);
	free(seconds);
	free(args);
	return rc;
}

/* ---- one failure after the other ---- */

static void count(struct collect_merge *m, const struct store_failure *f)
{
	switch (f->state) {
	case STORE_MERGE_REPRODUCED:
		COLLECT_COUNT(&m->service->counts, merges_reproduced, 1);
		break;
	case STORE_MERGE_INCONCLUSIVE:
		COLLECT_COUNT(&m->service->counts, merges_inconclusive, 1);
		break;
	default:
		COLLECT_COUNT(&m->service->counts, merges_failed, 1);
	}
}

static void fail(struct store_failure *f, const struct err *e)
{
	f->state = STORE_MERGE_FAILED;
	free(f->text);
	f->text = tidy(e->text);
}

static void do_one(struct collect_merge *m, struct store_failure *f,
		   const struct store_failures *all, const struct collect_program *program)
{
	struct task t = {.m = m, .f = f, .program = program, .bundle = STRBUF_INIT};
	struct err e = ERR_INIT;
	int rc = make_dir(&t, &e);

	f->tried = f->logs;
	if (!rc)
		rc = put_logs(&t, all, &e);
	if (!rc)
		rc = merge(&t, &e);
	if (rc)
		fail(f, &e);
	/* Ended in the middle: as if it had not begun. */
	if (m->ends && f->state != STORE_MERGE_REPRODUCED) {
		f->state = STORE_MERGE_NONE;
		f->tried = 0;
	} else {
		count(m, f);
	}
	rc = store_merge_end(m->store, f, f->state == STORE_MERGE_REPRODUCED ? &t.bundle : NULL,
			     &e);
	if (rc)
		collect_say("%s", e.text);
	if (t.dir)
		fs_remove_tree(t.dir);
	free(t.dir);
	free(t.logs);
	strbuf_free(&t.bundle);
}

static bool is_due(const struct collect_merge *m, const struct store_failure *f, uint64_t now)
{
	if (!*f->signature || f->state == STORE_MERGE_REPRODUCED || f->logs < m->o.logs)
		return false;
	if (f->state == STORE_MERGE_RUNS)
		return f->until < now;
	return !f->tried || f->logs >= 2 * f->tried;
}

static int look(struct collect_merge *m, struct err *e)
{
	struct store_failures all = VEC_INIT;
	int rc = store_logs_failures(m->store, &all, e);

	for (size_t i = 0; i < all.count && !rc && !m->ends; i++) {
		struct store_failure *f = &all.items[i];
		uint64_t now = (uint64_t)time(NULL), until = now + 2 * (m->o.seconds + GRACE) + 60;
		const struct collect_program *program;
		bool got = false;

		if (!is_due(m, f, now))
			continue;
		collect_programs_scan(&m->programs);
		program = collect_programs_find(&m->programs, f->build);
		if (program)
			rc = store_merge_claim(m->store, f->id, now, until, &got, e);
		if (got)
			do_one(m, f, &all, program);
	}
	store_failures_fini(&all);
	return rc;
}

static void *merge_all(void *arg)
{
	struct collect_merge *m = arg;
	struct timespec next;
	struct err e = ERR_INIT;

	while (!m->ends) {
		if (look(m, &e))
			collect_say("%s", e.text);
		pthread_mutex_lock(&m->lock);
		clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_sec += TICK_SECONDS;
		if (!m->ends)
			pthread_cond_timedwait(&m->over, &m->lock, &next);
		pthread_mutex_unlock(&m->lock);
	}
	return NULL;
}

/* ---- beginning and end ---- */

static int find_user(struct collect_merge *m, struct err *e)
{
	const struct passwd *user;

	if (!m->o.user) {
		if (geteuid() == 0)
			collect_say("merges are done as root: --merge-user is better");
		return 0;
	}
	user = getpwnam(m->o.user);
	if (!user || !user->pw_uid)
		return err_set(e, ERR_USAGE, "--merge-user: there is no such user, or it is root");
	if (geteuid() != 0 && user->pw_uid != geteuid())
		return err_set(e, ERR_USAGE, "--merge-user: only root may change the user");
	m->uid = geteuid() == 0 ? user->pw_uid : 0;
	m->gid = user->pw_gid;
	return 0;
}

static void dispose(struct collect_merge *m)
{
	store_logs_close(m->store);
	collect_programs_fini(&m->programs);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->over);
	free(m->heddle);
	free(m->self);
	free(m->work);
	free(m);
}

static int prepare(struct collect_merge *m, struct err *e)
{
	char *bin = fs_self_dir(), *dir = realpath(m->o.programs, NULL);
	int rc = dir && fs_is_dir(dir)
			 ? find_user(m, e)
			 : err_set(e, ERR_USAGE, "--programs: %s is no directory", m->o.programs);

	/* Workers have another current directory. */
	m->work = realpath(m->o.work ? m->o.work : fs_temporary_root(), NULL);
	if (!rc && !m->work)
		rc = err_errno(e, ERR_USAGE, "--work: %s", m->o.work ? m->o.work : "TMPDIR");
	m->programs.dir = dir;
	m->heddle = fs_join(bin, "heddle");
	m->self = fs_join(bin, "..");
	free(bin);
	if (!collect_worker_confined())
		collect_say("the kernel has no Landlock: merges can read what the collector can");
	return rc ? rc : store_logs_open(m->o.store, &m->store, e);
}

int collect_merge_new(struct collect_merge **out, struct collect_service *s,
		      const struct collect_merge_opts *o, struct err *e)
{
	struct collect_merge *m = xcalloc(1, sizeof(*m));
	pthread_condattr_t clock;
	int rc;

	m->service = s;
	m->o = *o;
	pthread_mutex_init(&m->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&m->over, &clock);
	pthread_condattr_destroy(&clock);
	rc = prepare(m, e);
	if (!rc && pthread_create(&m->thread, NULL, merge_all, m) != 0)
		rc = err_set(e, ERR_IO, "cannot start a thread");
	if (rc)
		dispose(m);
	else
		*out = m;
	return rc;
}

void collect_merge_free(struct collect_merge *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->ends = true;
	pthread_cond_signal(&m->over);
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
	dispose(m);
}
