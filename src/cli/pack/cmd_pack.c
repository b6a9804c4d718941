/* heddle pack: one file with a bundle, its program, libraries and sources. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/pack/again.h"
#include "cli/pack/gather.h"
#include "cli/place.h"
#include "trace/bundle/recording.h"

#define ENDING ".heddle-pack"

struct pack_opts {
	const char *out;
	bool no_sources, quiet;
	uint64_t times;
};

#define AT(field) offsetof(struct pack_opts, field)

static const struct cli_option table[] = {
	{'o', "output", OPTION_STRING, AT(out), NULL, 0, 0, "FILE",
	 "name of the pack; the default is that of the bundle with " ENDING},
	{0, "no-sources", OPTION_FLAG, AT(no_sources), NULL, 0, 0, NULL, "leave out the sources"},
	{0, "times", OPTION_UINT, AT(times), "3", 1, UINT64_C(1000000), "N",
	 "replay the finished pack so often before it is kept"},
	{'q', "quiet", OPTION_FLAG, AT(quiet), NULL, 0, 0, NULL, "print only the name of the pack"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "pack",
	.operands = "BUNDLE",
	.about = "Makes one file of a recorded execution, the program, its libraries and its "
		 "sources, that somebody else replays on another machine of this kind: heddle "
		 "replay FILE. The pack is replayed before it is kept. Exit code 4: the program "
		 "goes another way when it is run from the pack.",
	.table = table,
};

struct pack {
	struct pack_opts opts;
	const char *dir;
	char *path; /* of the pack, absolute */
	char *work; /* directory for the bundle that is packed */
	struct trace_bundle bundle;
	struct pack_files files;
	struct trace_pack_out out;
};

/* The name of the bundle without directory and ending. */
static char *default_name(const char *dir)
{
	size_t n = strlen(dir), begin;

	while (n > 1 && dir[n - 1] == '/')
		n--;
	begin = n;
	while (begin > 0 && dir[begin - 1] != '/')
		begin--;
	if (n - begin > 7 && memcmp(dir + n - 7, ".heddle", 7) == 0)
		n -= 7;
	return xasprintf("%.*s" ENDING, (int)(n - begin), dir + begin);
}

/* Absolute, because the program is replayed in its own directory. */
static int find_path(struct pack *p, struct err *e)
{
	char *name = p->opts.out ? xstrdup(p->opts.out) : default_name(p->dir);
	char *cwd = getcwd(NULL, 0);
	int rc = 0;

	if (name[0] == '/')
		p->path = xstrdup(name);
	else if (cwd)
		p->path = fs_join(cwd, name);
	else
		rc = err_errno(e, ERR_IO, "current directory");
	free(cwd);
	free(name);
	return rc;
}

/* bundle: the directory whose bundle is packed. */
static int write_pack(struct pack *p, const char *bundle, struct err *e)
{
	struct pack_files parts = {.count = 0};
	int rc = trace_pack_create(&p->out, p->path, e);

	pack_gather_bundle(&parts, TRACE_PACK_BUNDLE, bundle);
	for (size_t i = 0; rc == 0 && i < parts.count; i++)
		rc = trace_pack_add(&p->out, parts.items[i].role, parts.items[i].name,
				    parts.items[i].from, e);
	for (size_t i = 0; rc == 0 && i < p->files.count; i++)
		rc = trace_pack_add(&p->out, p->files.items[i].role, p->files.items[i].name,
				    p->files.items[i].from, e);
	if (rc == 0)
		rc = trace_pack_finish(&p->out, e);
	pack_files_fini(&parts);
	return rc;
}

/* Runs the program from a place of the pack and keeps what happened there as the bundle. */
static int run_from_pack(struct pack *p, struct err *e)
{
	struct cli_place place = {.root = NULL};
	int rc = cli_place_make(&place, p->out.temporary, e);

	if (rc == 0)
		rc = cli_place_settle(&place, e);
	if (rc == 0)
		rc = pack_run_again(place.here, &p->bundle, e);
	cli_place_remove(&place);
	return rc;
}

/* As the colleague will: by the command, from the file. */
static int replay_pack(const struct pack *p, struct err *e)
{
	char *dir = fs_self_dir(), *heddle = fs_join(dir, "heddle");
	char *times = xasprintf("--times=%" PRIu64, p->opts.times);
	char *argv[] = {heddle, "replay", "--config=none", times, p->out.temporary, NULL};
	struct proc_result r = {0};
	bool fails = p->bundle.outcome.outcome == OUTCOME_FAILURE;
	int rc = proc_run(argv, PROC_CAPTURE | PROC_MERGE, &r, e);

	if (rc == 0 && proc_exit_code(r.status) != (fails ? CLI_FINDINGS : CLI_CLEAN))
		rc = err_set(e, ERR_MISMATCH, "%.*s", (int)strcspn(r.out ? r.out : "", "\n"),
			     r.out ? r.out : "");
	free(r.out);
	free(times);
	free(heddle);
	free(dir);
	return rc;
}

/* The bundle as it was is only the way to the one that happened in a place. */
static int make(struct pack *p, struct err *e)
{
	char *bundle;
	int rc = write_pack(p, p->dir, e);

	if (rc == 0 && p->bundle.meta.cwd && chdir(p->bundle.meta.cwd) != 0 && !p->opts.quiet)
		fprintf(stderr, "heddle pack: note: %s is gone, the program runs here\n",
			p->bundle.meta.cwd);
	if (rc == 0)
		rc = run_from_pack(p, e);
	trace_pack_abort(&p->out);
	if (rc == 0)
		rc = fs_make_temporary_dir("heddle", &p->work, e);
	if (rc != 0)
		return rc;
	bundle = fs_join(p->work, "b.heddle");
	rc = trace_bundle_write(bundle, &p->bundle, e);
	if (rc == 0)
		rc = write_pack(p, bundle, e);
	if (rc == 0)
		rc = replay_pack(p, e);
	if (rc == 0)
		rc = trace_pack_commit(&p->out, e);
	free(bundle);
	return rc;
}

static unsigned count(const struct pack *p, enum trace_pack_role role)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->files.count; i++)
		n += p->files.items[i].role == role;
	return n;
}

static void say_variables(const struct trace_meta *m)
{
	printf("environment:");
	for (size_t i = 0; i < m->environ.count; i++)
		printf("%s %.*s", i ? "," : "", (int)strcspn(m->environ.items[i], "="),
		       m->environ.items[i]);
	printf("%s\n", m->environ.count ? "" : " nothing");
}

static void say_result(const struct pack *p)
{
	const struct trace_meta *m = &p->bundle.meta;
	struct stat st = {.st_size = 0};

	if (p->opts.quiet) {
		printf("%s\n", p->path);
		return;
	}
	if (stat(p->path, &st) != 0)
		st.st_size = 0;
	printf("program:     %s with %u libraries\n", m->program, count(p, TRACE_PACK_LIBRARY));
	printf("sources:     %u files", count(p, TRACE_PACK_SOURCE));
	if (p->files.missing)
		printf(" (%u are not on this machine)", p->files.missing);
	printf("\n");
	if (count(p, TRACE_PACK_INPUT) || count(p, TRACE_PACK_INPUTS))
		printf("input:       in the pack\n");
	say_variables(m);
	printf("not in it:   files that the program opens\n");
	printf("\npack: %s: %" PRIu64 " KB; replayed from it: %" PRIu64 " of %" PRIu64
	       " identical\n",
	       p->path, ((uint64_t)st.st_size + 1023) / 1024, p->opts.times, p->opts.times);
}

static int prepare(struct pack *p, struct err *e)
{
	int rc;

	if (trace_pack_is(p->dir))
		return err_set(e, ERR_EXISTS, "%s is a pack already", p->dir);
	if (trace_recording_is(p->dir))
		return err_set(
			e, ERR_UNSUPPORTED,
			"%s is a recording: pack the bundle that heddle reproduce makes of it",
			p->dir);
	rc = trace_bundle_read(p->dir, &p->bundle, e);
	if (rc == 0 && p->bundle.meta.argv.count == 0)
		rc = err_set(e, ERR_FORMAT, "%s does not say how to start the program", p->dir);
	if (rc == 0)
		rc = find_path(p, e);
	if (rc == 0)
		rc = pack_gather(&p->files, &p->bundle, !p->opts.no_sources, e);
	return rc;
}

static void pack_fini(struct pack *p)
{
	trace_pack_abort(&p->out);
	if (p->work)
		fs_remove_tree(p->work);
	free(p->work);
	free(p->path);
	pack_files_fini(&p->files);
	trace_bundle_fini(&p->bundle);
}

int cmd_pack_run(int argc, char **argv)
{
	struct pack p = {.out = {.fd = -1}};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &p.opts, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a bundle is missing (see heddle pack --help)");
	else if (rc == 0 && rest + 1 < argc)
		rc = err_set(&e, ERR_USAGE, "'%s' is one word too many", argv[rest + 1]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	p.dir = argv[rest];
	rc = prepare(&p, &e);
	if (rc == 0) {
		rc = make(&p, &e);
		if (rc == ERR_MISMATCH) {
			fprintf(stderr, "heddle pack: from the pack it goes another way: %s\n",
				e.text);
			pack_fini(&p);
			return CLI_INCONCLUSIVE;
		}
	}
	if (rc == 0)
		say_result(&p);
	else
		rc = cli_exit_error("pack", &e);
	pack_fini(&p);
	return rc;
}
