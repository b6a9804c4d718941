/* Runs that passed: recorded now, or found in a directory. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"
#include "cli/hunt/run.h"
#include "store/store.h"

#define HANG "--hang=5"
#define MAX_FAILING 3 /* their paths are looked at beside those of runs that passed */

/* Two runs with this in common took the same ways. */
static uint64_t hash_of(const struct trace_recording *r)
{
	uint64_t hash = fs_hash(0, "paths", 5);

	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct trace_task *t = &r->tasks.items[i];
		uint64_t words[3] = {t->row.creator, t->row.index, t->bits};

		hash = fs_hash(hash, words, sizeof(words));
		if (t->bits)
			hash = fs_hash(hash, t->stream, (size_t)(t->bits + 7) / 8);
	}
	return hash;
}

static uint64_t hash_inputs(uint64_t hash, const struct trace_task *t)
{
	for (size_t k = 0; k < t->inputs.count; k++) {
		const struct trace_input *in = &t->inputs.items[k];
		uint64_t words[3] = {in->head.kind, (uint64_t)in->head.result, in->head.data};

		hash = fs_hash(hash, words, sizeof(words));
		if (in->head.data)
			hash = fs_hash(hash, in->data, in->head.data);
	}
	return hash;
}

/* Runs of one program that was given the same: what is true of one is true of all. */
static uint64_t build_of(const struct trace_recording *r)
{
	uint64_t hash = fs_hash(0, "build", 5);

	for (size_t i = 0; i < r->marks.count; i++)
		hash = fs_hash(hash, &r->marks.items[i].head.canon,
			       sizeof(r->marks.items[i].head.canon));
	for (size_t i = 0; i < r->meta.argv.count; i++)
		hash = fs_hash(hash, r->meta.argv.items[i], strlen(r->meta.argv.items[i]) + 1);
	for (size_t i = 0; i < r->tasks.count; i++)
		hash = hash_inputs(hash, &r->tasks.items[i]);
	return hash;
}

static void note_other(struct cli_hunt *h, const char *name, const char *why)
{
	if (h->others++ == 0)
		snprintf(h->other_why, sizeof(h->other_why), "%.200s: %.300s", name, why);
}

/* A recording of the same build as the others; may take over *r.  *kept: its paths are new. */
static int take(struct cli_hunt *h, struct store *store, const char *name,
		struct trace_recording *r, bool *kept, struct err *e)
{
	uint64_t build = build_of(r);
	bool failed = r->failure.kind != RECORD_FAIL_NONE || r->status > 128;
	int rc = 0;

	*kept = false;
	h->recorded++;
	h->failed += failed;
	if (r->backend == RECORD_PT || r->loss || r->flags & RECORD_RING) {
		note_other(h, name, "it is not complete, or not of the backend bits");
		return 0;
	}
	if (h->first_name && build != h->build) {
		note_other(
			h, name,
			"it is of another build of the program, or had other arguments or input");
		return 0;
	}
	if (failed)
		*kept = h->failing.count < MAX_FAILING;
	else
		rc = store_run_add(store, build, hash_of(r), name, kept, e);
	if (*kept && failed)
		vec_push(&h->failing, xstrdup(name));
	else if (*kept)
		vec_push(&h->names, xstrdup(name));
	if (rc == 0 && !h->first_name) {
		h->build = build;
		h->first = *r;
		h->first_name = xstrdup(name);
		*r = (struct trace_recording)TRACE_RECORDING_INIT;
	}
	return rc;
}

/* ---- recording ---- */

static int record_one(const char *name, char **words, struct err *e)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle");
	VEC(char *) argv = VEC_INIT;
	struct proc_result result = {0};
	int rc;

	vec_push(&argv, tool);
	for (const char *const *w = (const char *const[]){"record", "--keep=all", "-q", HANG, "-o",
							  name, "--", NULL};
	     *w; w++)
		vec_push(&argv, (char *)*w);
	for (char **w = words; *w; w++)
		vec_push(&argv, *w);
	vec_push(&argv, NULL);
	rc = proc_run(argv.items, PROC_CAPTURE | PROC_MERGE, &result, e);
	if (rc == 0 && !trace_recording_is(name)) {
		const char *said = result.out_bytes ? result.out : "nothing was recorded";

		rc = err_set(e, ERR_TOOL, "%.*s", (int)strcspn(said, "\n"), said);
	}
	free(result.out);
	vec_free(&argv);
	free(tool);
	free(here);
	return rc;
}

/* Runs that earlier hunts kept. */
struct earlier {
	struct cli_hunt *h;
	uint64_t next;
};

static int add_earlier(void *arg, const char *name, uint64_t paths, uint64_t times, struct err *e)
{
	struct earlier *x = arg;

	(void)paths;
	(void)times;
	(void)e;
	for (size_t i = 0; i < x->h->names.count; i++)
		if (strcmp(x->h->names.items[i], name) == 0)
			return 0;
	if (trace_recording_is(name))
		vec_push(&x->h->names, xstrdup(name));
	return 0;
}

static int add_earlier_runs(struct cli_hunt *h, struct store *store, struct err *e)
{
	struct earlier x = {.h = h};

	return h->first_name ? store_runs(store, h->build, add_earlier, &x, e) : 0;
}

static int record_all(struct cli_hunt *h, struct store *store, uint64_t runs, char **words,
		      struct err *e)
{
	/* Half of the time is for looking at what was recorded. */
	struct limit limit = h->limit;
	uint64_t now = limit_now();
	int rc = 0;

	if (limit.end_ns > now)
		limit.end_ns = now + (limit.end_ns - now) / 2;
	for (uint64_t i = 0; i < runs && rc == 0; i++) {
		char *name = xasprintf("%s/run-%ld-%" PRIu64 ".rec", h->dir, (long)getpid(), i);
		struct trace_recording r = TRACE_RECORDING_INIT;
		bool kept = false;

		if (i && limit_reached(&limit) != LIMIT_NONE) {
			free(name);
			break;
		}
		rc = record_one(name, words, e);
		/* Who interrupts the hunt interrupts the program, too: that run is none. */
		if (i && limit_reached(&h->limit) == LIMIT_STOP) {
			fs_remove_flat_dir(name, NULL);
			free(name);
			return 0;
		}
		if (rc == 0)
			rc = trace_recording_read(name, &r, e);
		if (rc == 0)
			rc = take(h, store, name, &r, &kept, e);
		trace_recording_fini(&r);
		if (rc == 0 && !kept && (!h->first_name || strcmp(name, h->first_name)))
			rc = fs_remove_flat_dir(name, e);
		free(name);
	}
	return rc;
}

static int begin(struct cli_hunt *h, struct store **store, struct err *e)
{
	int rc = fs_make_dirs(h->dir, e);

	return rc == 0 ? store_open(h->store, true, store, e) : rc;
}

static int end(struct cli_hunt *h, struct store *store, int rc, struct err *e)
{
	if (rc == 0)
		rc = add_earlier_runs(h, store, e);
	store_close(store);
	return rc;
}

int cli_hunt_record(struct cli_hunt *h, uint64_t runs, char **words, struct err *e)
{
	struct store *store = NULL;
	int rc = begin(h, &store, e);

	if (rc == 0)
		rc = record_all(h, store, runs, words, e);
	return end(h, store, rc, e);
}

/* ---- directories ---- */

static int take_from(struct cli_hunt *h, struct store *store, const char *name, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct err why = ERR_INIT;
	bool kept;
	int rc = 0;

	if (trace_recording_read(name, &r, &why) != 0)
		note_other(h, name, why.text);
	else
		rc = take(h, store, name, &r, &kept, e);
	trace_recording_fini(&r);
	return rc;
}

/* One that cannot be read is to be named, not passed over. */
static bool is_meant(const char *name)
{
	size_t n = strlen(name);

	return trace_recording_is(name) ||
	       (n > 4 && strcmp(name + n - 4, ".rec") == 0 && fs_is_dir(name));
}

static int is_shown(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

int cli_hunt_gather(struct cli_hunt *h, const char *dir, struct err *e)
{
	struct dirent **entries = NULL;
	struct store *store = NULL;
	int n = 0, rc = begin(h, &store, e);
	char *whole = realpath(dir, NULL);

	if (rc == 0 && trace_recording_is(dir)) {
		rc = take_from(h, store, whole, e);
	} else if (rc == 0) {
		n = scandir(dir, &entries, is_shown, alphasort);
		if (n < 0)
			rc = err_errno(e, ERR_IO, "cannot read %s", dir);
	}
	for (int i = 0; i < n; i++) {
		char *name = fs_join(whole, entries[i]->d_name);

		if (rc == 0 && is_meant(name))
			rc = take_from(h, store, name, e);
		free(name);
		free(entries[i]);
	}
	free(entries);
	free(whole);
	return end(h, store, rc, e);
}
