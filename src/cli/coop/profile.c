/* heddle coop profile, show and cut: everything that runs nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/coop/coop.h"
#include "cli/exit.h"
#include "coop/elements.h"
#include "coop/profile_file.h"
#include "coop/set.h"

static int fail(int rc, struct err *e)
{
	return rc ? cli_exit_error("coop", e) : CLI_CLEAN;
}

static int print(const struct strbuf *text, struct err *e)
{
	if (text->length)
		fwrite(text->text, 1, text->length, stdout);
	return fs_finish_output(stdout, "standard output", e);
}

/* ---- profile ---- */

struct learned {
	uint64_t *accesses;
	double *dispersion;
	uint32_t *cluster;
};

/* Members of one record belong together, and blocks of one function. */
static void find_clusters(const struct coop_elements *x, uint32_t *cluster)
{
	for (uint32_t i = 0; i < x->names.count; i++) {
		const char *dot = strchr(x->names.items[i], x->flavour == COOP_ORDER ? '.' : ':');
		size_t n = dot ? (size_t)(dot - x->names.items[i]) + 1 : 0;

		cluster[i] = i;
		/* Names are sorted, but a blank may come before the dot of another. */
		for (uint32_t k = 0; k < i && n; k++)
			if (!strncmp(x->names.items[k], x->names.items[i], n)) {
				cluster[i] = cluster[k];
				break;
			}
	}
}

static int learn_from(const struct coop_elements *x, const char *path, struct learned *out,
		      struct err *e)
{
	struct cli_coop_files files = {NULL, 0, 0};
	int rc = cli_coop_read(&files, path, e);

	for (size_t i = 0; i < files.count && !rc; i++) {
		const struct coop_log *l = &files.items[i]->log;

		if (memcmp(l->build, x->build, sizeof(l->build)) != 0 ||
		    l->elements != x->names.count)
			rc = err_set(e, ERR_MISMATCH, "%s is a log of another build of the program",
				     files.items[i]->path);
		for (size_t k = 0; k < l->vectors.count && !rc; k++) {
			const struct coop_vector *v = &l->vectors.items[k];
			uint64_t *most = &out->accesses[v->element];

			*most = v->accesses > *most ? v->accesses : *most;
		}
	}
	for (uint32_t s = 0; s < x->names.count && !rc; s++) {
		uint32_t all = 0, different = 0;

		for (size_t i = 0; i < files.count; i++) {
			const struct coop_log *l = &files.items[i]->log;
			const struct coop_vector *v = coop_log_vector(l, s);
			bool fresh = v != NULL;

			all += v != NULL;
			for (size_t k = 0; k < i && fresh; k++) {
				const struct coop_vector *w =
					coop_log_vector(&files.items[k]->log, s);

				fresh = !w || !coop_vector_equal(l, v, &files.items[k]->log, w);
			}
			different += fresh;
		}
		out->dispersion[s] = all ? (double)different / all : 0;
	}
	cli_coop_files_fini(&files);
	return rc;
}

static int check_policy(const struct cli_coop_opts *o, struct err *e)
{
	bool learns = o->policy == COOP_BALANCED || o->policy == COOP_DISPERSION;

	if (learns && !o->from)
		return err_set(e, ERR_USAGE,
			       "this policy learns from logs: --from=LOG|DIR is missing");
	return 0;
}

/* Those that are not wanted at all are not among those to draw from. */
static void draw(const struct cli_coop_opts *o, const struct coop_elements *x, struct learned *l,
		 bool *wanted)
{
	uint32_t n = 0, *at = xcalloc(x->names.count + 1, sizeof(*at));
	struct coop_known known = {
		.accesses = l->accesses, .cluster = l->cluster, .dispersion = l->dispersion};
	struct coop_profiler *p;
	bool *drawn = xcalloc(x->names.count + 1, sizeof(*drawn));

	for (uint32_t i = 0; i < x->names.count; i++) {
		if (!wanted[i])
			continue;
		l->accesses[n] = l->accesses[i];
		l->cluster[n] = l->cluster[i];
		l->dispersion[n] = l->dispersion[i];
		at[n++] = i;
	}
	memset(wanted, 0, x->names.count * sizeof(*wanted));
	known.n = n;
	if (n) {
		p = coop_profiler_new((enum coop_policy)o->policy, &known, cli_coop_size(o, n),
				      o->seed);
		for (uint64_t i = 0; i < o->number; i++)
			coop_profiler_next(p, drawn);
		coop_profiler_free(p);
	}
	for (uint32_t i = 0; i < n; i++)
		wanted[at[i]] = drawn[i];
	free(drawn);
	free(at);
}

static int make_profile(const struct cli_coop_opts *o, const struct coop_elements *x,
			struct coop_profile *p, struct err *e)
{
	size_t n = x->names.count;
	struct learned l = {xcalloc(n + 1, sizeof(uint64_t)), xcalloc(n + 1, sizeof(double)),
			    xcalloc(n + 1, sizeof(uint32_t))};
	bool *wanted = xcalloc(n + 1, sizeof(*wanted));
	int rc = 0;

	memset(wanted, 1, n * sizeof(*wanted));
	if (o->override)
		rc = coop_elements_override(x, o->override, wanted, e);
	find_clusters(x, l.cluster);
	if (!rc && o->from)
		rc = learn_from(x, o->from, &l, e);
	if (!rc)
		draw(o, x, &l, wanted);
	memcpy(p->build, x->build, sizeof(p->build));
	p->flavour = x->flavour;
	p->elements = (uint32_t)n;
	for (uint32_t i = 0; i < n && !rc; i++)
		if (wanted[i])
			vec_push(&p->chosen, ((struct coop_chosen){i, xstrdup(x->names.items[i])}));
	if (!rc && !p->chosen.count)
		rc = err_set(e, ERR_NOT_FOUND, "the program has no shared elements to record");
	free(wanted);
	free(l.accesses);
	free(l.dispersion);
	free(l.cluster);
	return rc;
}

int cli_coop_profile(const struct cli_coop_opts *o, int argc, char **argv)
{
	struct coop_elements x = {.names = VEC_INIT};
	struct coop_profile p = {.elements = 0};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int rc = check_policy(o, &e);

	if (!rc && argc != 1)
		rc = err_set(&e, ERR_USAGE,
			     argc ? "'%s' is one word too many" : "a program is missing",
			     argc ? argv[1] : "");
	if (!rc)
		rc = coop_elements_find(&x, argv[0],
					o->global   ? COOP_GLOBAL
					: o->blocks ? COOP_BLOCKS
						    : COOP_ORDER,
					&e);
	if (!rc)
		rc = make_profile(o, &x, &p, &e);
	if (!rc) {
		coop_profile_text(&p, &text);
		rc = print(&text, &e);
	}
	strbuf_free(&text);
	coop_profile_fini(&p);
	coop_elements_fini(&x);
	return fail(rc, &e);
}

/* ---- show ---- */

/* Logs of all kinds may be shown together. */
static int show(const struct cli_coop_file *f, const char *program, struct coop_elements *known,
		struct strbuf *to, struct err *e)
{
	const struct coop_log *l = &f->log;
	struct coop_elements *x = &known[l->flavour];
	int rc = 0;

	if (program && !x->names.count)
		rc = coop_elements_find(x, program, (enum coop_flavour)l->flavour, e);
	if (rc)
		return rc;
	if (x->names.count &&
	    (memcmp(l->build, x->build, sizeof(l->build)) != 0 || l->elements != x->names.count))
		return err_set(e, ERR_MISMATCH, "%s is a log of another build of the program",
			       f->path);
	strbuf_addf(to, "%s: build ", f->path);
	coop_build_text(l->build, to);
	strbuf_add(to, "\n");
	coop_log_text(l, x->names.count ? (const char *const *)x->names.items : NULL, to);
	return 0;
}

int cli_coop_show(const struct cli_coop_opts *o, int argc, char **argv)
{
	struct cli_coop_files files = {NULL, 0, 0};
	struct coop_elements known[COOP_FLAVOURS] = {{.names = VEC_INIT}};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int rc = argc ? 0 : err_set(&e, ERR_USAGE, "a log is missing");

	for (int i = 0; i < argc && !rc; i++)
		rc = cli_coop_read(&files, argv[i], &e);
	for (size_t i = 0; i < files.count && !rc; i++)
		rc = show(files.items[i], o->program, known, &text, &e);
	if (!rc)
		rc = print(&text, &e);
	strbuf_free(&text);
	cli_coop_files_fini(&files);
	for (int i = 0; i < COOP_FLAVOURS; i++)
		coop_elements_fini(&known[i]);
	return fail(rc, &e);
}

/* ---- cut ---- */

static int cut(const struct cli_coop_opts *o, struct cli_coop_file *f, uint64_t seed, struct err *e)
{
	struct coop_log *l = &f->log;
	struct coop_known known = {.n = l->elements};
	bool *wanted = xcalloc((size_t)l->elements + 1, sizeof(*wanted));
	const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
	size_t stem = strlen(name);
	struct strbuf bytes = STRBUF_INIT;
	struct coop_profiler *p;
	char *to;
	int rc;

	if (stem > 5 && !strcmp(name + stem - 5, ".crep"))
		stem -= 5;
	if (l->elements) {
		p = coop_profiler_new(COOP_UNIFORM, &known, cli_coop_size(o, l->elements), seed);
		coop_profiler_next(p, wanted);
		coop_profiler_free(p);
		coop_log_cut(l, wanted);
	}
	coop_log_encode(l, &bytes);
	if (o->one)
		to = xasprintf("%s/%.*s.one.crep", o->out, (int)stem, name);
	else
		to = xasprintf("%s/%.*s.%" PRIu64 ".crep", o->out, (int)stem, name, o->percent);
	rc = fs_exists(to) ? err_set(e, ERR_EXISTS, "%s exists already", to)
			   : fs_write_file(to, bytes.text, bytes.length, e);
	if (!rc)
		printf("%s\n", to);
	free(to);
	strbuf_free(&bytes);
	free(wanted);
	return rc;
}

int cli_coop_cut(const struct cli_coop_opts *o, int argc, char **argv)
{
	struct cli_coop_files files = {NULL, 0, 0};
	struct err e = ERR_INIT;
	int rc = argc ? 0 : err_set(&e, ERR_USAGE, "a log is missing");

	for (int i = 0; i < argc && !rc; i++)
		rc = cli_coop_read(&files, argv[i], &e);
	if (!rc)
		rc = fs_make_dirs(o->out, &e);
	for (size_t i = 0; i < files.count && !rc; i++)
		rc = cut(o, files.items[i], o->seed + i, &e);
	if (!rc)
		rc = fs_finish_output(stdout, "standard output", &e);
	cli_coop_files_fini(&files);
	return fail(rc, &e);
}
