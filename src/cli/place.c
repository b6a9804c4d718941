#include "cli/place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"
#include "cli/exit.h"
#include "report/source.h"
#include "run/guest/keep.h"
#include "trace/elf/interp.h"
#include "trace/pack/pack.h"

/* Every name that the program or its linker sees is so long. */
#define NAME_LENGTH 400
#define LIBRARY_PATH "LD_LIBRARY_PATH="

/* root, slashes, rest: NAME_LENGTH characters. */
static int padded(const char *root, const char *rest, char **out, struct err *e)
{
	size_t used = strlen(root) + strlen(rest);
	char *name;

	if (used + 1 > NAME_LENGTH)
		return err_set(e, ERR_LIMIT, "%s is too long a name for a temporary directory",
			       root);
	name = xmalloc(NAME_LENGTH + 1);
	memset(name, '/', NAME_LENGTH);
	memcpy(name, root, strlen(root));
	memcpy(name + NAME_LENGTH - strlen(rest), rest, strlen(rest) + 1);
	*out = name;
	return 0;
}

/* ---- unpacking ---- */

static char *path_of(const struct cli_place *p, const struct trace_pack_member *m)
{
	static const char *const dirs[] = {
		[TRACE_PACK_BUNDLE] = "bundle.heddle/", [TRACE_PACK_PROGRAM] = "program/",
		[TRACE_PACK_LIBRARY] = "lib/",		[TRACE_PACK_LINKER] = "ld",
		[TRACE_PACK_SOURCE] = "source",		[TRACE_PACK_INPUT] = "input",
		[TRACE_PACK_INPUTS] = "inputs/",
	};
	bool is_fixed = m->role == TRACE_PACK_LINKER || m->role == TRACE_PACK_INPUT;

	return xasprintf("%s/%s%s", p->root, dirs[m->role], is_fixed ? "" : m->name);
}

static int note_member(struct cli_place *p, const struct trace_pack_member *m, struct err *e)
{
	char *rest;
	int rc;

	p->libraries += m->role == TRACE_PACK_LIBRARY;
	p->files += m->role == TRACE_PACK_SOURCE;
	p->has_linker |= m->role == TRACE_PACK_LINKER;
	p->has_input |= m->role == TRACE_PACK_INPUT;
	p->has_inputs |= m->role == TRACE_PACK_INPUTS;
	if (m->role != TRACE_PACK_PROGRAM)
		return 0;
	if (p->program)
		return err_set(e, ERR_FORMAT, "two programs in one pack");
	rest = xasprintf("program/%s", m->name);
	rc = padded(p->root, rest, &p->program, e);
	free(rest);
	return rc;
}

/* What is there is not opened again: a name that comes twice is an error. */
static int unpack_member(struct cli_place *p, struct trace_pack_in *in,
			 const struct trace_pack_member *m, struct err *e)
{
	bool is_code = m->role == TRACE_PACK_PROGRAM || m->role == TRACE_PACK_LINKER ||
		       m->role == TRACE_PACK_LIBRARY;
	char *path = path_of(p, m), *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	int fd = -1, rc = note_member(p, m, e);

	if (rc == 0)
		rc = fs_make_dirs(dir, e);
	if (rc == 0) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  is_code ? 0700 : 0600);
		if (fd < 0)
			rc = err_errno(e, errno == EEXIST ? ERR_FORMAT : ERR_IO, "cannot unpack %s",
				       m->name);
	}
	if (rc == 0)
		rc = trace_pack_contents(in, fd, e);
	if (fd >= 0 && close(fd) && rc == 0)
		rc = err_errno(e, ERR_IO, "cannot unpack %s", m->name);
	free(dir);
	free(path);
	return rc;
}

static int unpack(struct cli_place *p, const char *pack, struct err *e)
{
	struct trace_pack_member m;
	struct trace_pack_in in;
	int rc = trace_pack_open(&in, pack, e);

	while (rc == 0 && (rc = trace_pack_next(&in, &m, e)) == 1) {
		rc = unpack_member(p, &in, &m, e);
		trace_pack_member_fini(&m);
	}
	trace_pack_close(&in);
	if (rc == 0 && !p->program)
		rc = err_set(e, ERR_FORMAT, "there is no program in it");
	return rc;
}

int cli_place_make(struct cli_place *p, const char *pack, struct err *e)
{
	int rc;

	if (!p->root) {
		rc = fs_make_temporary_dir("heddle", &p->root, e);
		if (rc != 0)
			return rc;
	}
	p->stored = fs_join(p->root, "bundle.heddle");
	p->here = fs_join(p->root, "here.heddle");
	p->sources = fs_join(p->root, "source");
	rc = unpack(p, pack, e);
	if (rc != 0) {
		cli_place_remove(p);
		return err_wrap(e, "%s", pack);
	}
	return 0;
}

void cli_place_remove(struct cli_place *p)
{
	if (p->root)
		fs_remove_tree(p->root);
	free(p->root);
	free(p->stored);
	free(p->here);
	free(p->sources);
	free(p->program);
	memset(p, 0, sizeof(*p));
}

/* ---- the names of the place ---- */

static void set_text(char **text, char *now)
{
	free(*text);
	*text = now;
}

static int check_packed(const struct trace_file_id *recorded, const char *path, struct err *e)
{
	struct trace_file_id id = *recorded;

	id.path = (char *)path;
	return trace_file_id_check(&id, e);
}

/*
 * The program asks for the linker of the pack, so that it fits the libraries of the pack.  Where
 * its name is too long for that, the one of this machine will do if it is the same.
 */
static int use_linker(const struct cli_place *p, struct err *e)
{
	char *ld = fs_join(p->root, "ld"), *theirs = NULL;
	uint64_t packed, own;
	int rc;

	if (!p->has_linker) {
		free(ld);
		return err_set(e, ERR_FORMAT, "there is no dynamic linker in it");
	}
	rc = trace_elf_interp_set(p->program, ld, e);
	if (rc == ERR_LIMIT && trace_elf_interp_get(p->program, &theirs, e) == 0) {
		rc = fs_hash_file(ld, &packed, e);
		if (rc == 0 && (fs_hash_file(theirs, &own, e) != 0 || own != packed))
			rc = err_set(e, ERR_LIMIT,
				     "%s is another linker than the packed one, and %s is too "
				     "long a name for that: set TMPDIR to a shorter one",
				     theirs, ld);
	}
	free(theirs);
	free(ld);
	return rc;
}

static int settle_executable(const struct cli_place *p, struct trace_meta *m, struct err *e)
{
	int rc = check_packed(&m->executable, p->program, e);

	if (rc == 0)
		rc = use_linker(p, e);
	if (rc != 0)
		return rc;
	trace_file_id_fini(&m->executable);
	return trace_file_id_get(&m->executable, p->program, e);
}

/* before: the executable as it was recorded.  What is not in the pack may be on this machine. */
static int settle_module(const struct cli_place *p, const struct trace_meta *m,
			 const struct trace_file_id *before, struct trace_file_id *module,
			 struct err *e)
{
	const char *slash = module->path ? strrchr(module->path, '/') : NULL;
	char *path;
	int rc = 0;

	if (module->hash == before->hash && module->bytes == before->bytes) {
		trace_file_id_fini(module);
		return trace_file_id_get(module, m->executable.path, e);
	}
	if (!slash || !trace_pack_name_is_good(TRACE_PACK_LIBRARY, slash + 1))
		return err_set(e, ERR_FORMAT, "a module in it has no name");
	path = xasprintf("%s/lib/%s", p->root, slash + 1);
	if (fs_exists(path))
		rc = check_packed(module, path, e);
	if (rc == 0 && fs_exists(path))
		set_text(&module->path, xstrdup(path));
	free(path);
	return rc;
}

static int settle_environment(const struct cli_place *p, struct trace_meta *m, struct err *e)
{
	size_t kept = 0;
	char *lib;
	int rc = padded(p->root, "lib", &lib, e);

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < m->environ.count; i++) {
		if (strncmp(m->environ.items[i], LIBRARY_PATH, strlen(LIBRARY_PATH)) == 0)
			free(m->environ.items[i]);
		else
			m->environ.items[kept++] = m->environ.items[i];
	}
	m->environ.count = kept;
	vec_push(&m->environ, xasprintf(LIBRARY_PATH "%s", lib));
	free(lib);
	return 0;
}

/* The notes that say where the program's input came from. */
static void settle_inputs(const struct cli_place *p, struct trace_bundle *b)
{
	for (size_t i = 0; i < b->notes.count; i++) {
		char **note = &b->notes.items[i];

		if (p->has_input && !strncmp(*note, RUN_KEEP_INPUT, strlen(RUN_KEEP_INPUT)))
			set_text(note, xasprintf(RUN_KEEP_INPUT "%s/input", p->root));
		if (p->has_inputs && !strncmp(*note, RUN_KEEP_INPUTS, strlen(RUN_KEEP_INPUTS)))
			set_text(note, xasprintf(RUN_KEEP_INPUTS "%s/inputs", p->root));
	}
}

static int settle(struct cli_place *p, struct trace_bundle *b, struct err *e)
{
	struct trace_meta *m = &b->meta;
	struct trace_file_id before = m->executable;
	char *cwd = getcwd(NULL, 0);
	int rc = settle_executable(p, m, e);

	for (size_t i = 0; rc == 0 && i < m->modules.count; i++)
		rc = settle_module(p, m, &before, &m->modules.items[i].file, e);
	if (rc == 0)
		rc = settle_environment(p, m, e);
	if (rc == 0 && !cwd)
		rc = err_errno(e, ERR_IO, "current directory");
	if (rc != 0) {
		free(cwd);
		return rc;
	}
	set_text(&m->program, xstrdup(p->program));
	set_text(&m->cwd, cwd);
	settle_inputs(p, b);
	return trace_bundle_write(p->here, b, e);
}

int cli_place_settle(struct cli_place *p, struct err *e)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	int rc = trace_bundle_read(p->stored, &b, e);

	if (rc == 0)
		rc = settle(p, &b, e);
	trace_bundle_fini(&b);
	return rc;
}

/* ---- for commands ---- */

static struct cli_place open_place;
static volatile pid_t worker;

const char *cli_place_sources(void)
{
	return open_place.sources;
}

static void forward(int number)
{
	if (worker > 0)
		kill(worker, number);
}

/* Waits for the command and removes the place. */
static _Noreturn void clean_up(void)
{
	int status = 0;

	while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
		;
	cli_place_remove(&open_place);
	_exit(proc_exit_code(status));
}

static int split(struct err *e)
{
	pid_t parent = getpid();

	fflush(NULL);
	/* The terminal sends this to both; the command knows what to do about it. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	worker = fork();
	if (worker < 0)
		return err_errno(e, ERR_IO, "cannot start a process");
	if (worker > 0) {
		signal(SIGTERM, forward);
		signal(SIGHUP, forward);
		clean_up();
	}
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(CLI_FAILURE);
	return 0;
}

int cli_place_open(const char **bundle, bool as_packed, struct err *e)
{
	const char *pack = *bundle;
	int rc;

	if (fs_is_dir(pack) || !trace_pack_is(pack))
		return 0;
	rc = fs_make_temporary_dir("heddle", &open_place.root, e);
	if (rc == 0)
		rc = split(e);
	if (rc == 0)
		rc = cli_place_make(&open_place, pack, e);
	if (rc != 0)
		return rc;
	if (!as_packed && cli_place_settle(&open_place, e) != 0)
		return err_wrap(e, "%s", pack);
	report_source_root(open_place.sources);
	*bundle = as_packed ? open_place.stored : open_place.here;
	return 0;
}
