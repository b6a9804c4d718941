#include "run/guest/program.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/elf/elf.h"

extern char **environ;

static char **copy_words(char *const *words, size_t n)
{
	char **copy = xcalloc(n + 1, sizeof(*copy));

	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

static void free_words(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

static size_t count_words(char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

/* The user's, for runs that heddle does not control. */
static char **copy_environment(void)
{
	size_t n = 0;
	char **copy = xcalloc(count_words(environ) + 1, sizeof(*copy));

	for (char **entry = environ; *entry; entry++)
		if (!run_environment_is_ours(*entry))
			copy[n++] = xstrdup(*entry);
	return copy;
}

static void set_words(struct run_program *p, char *const *argv, const char *given)
{
	struct run_words secrets = VEC_INIT;
	size_t n = count_words(argv);

	p->own_argv = copy_words(argv, n);
	p->own_envp = copy_environment();
	p->envp = run_environment_make(
		&(struct run_environment_source){p->path, argv, environ, given}, &secrets, &p->said);
	p->argv = xcalloc(n + 1, sizeof(*p->argv));
	for (size_t i = 0; i < n; i++)
		p->argv[i] = run_environment_hide(&secrets, argv[i]);
	run_words_fini(&secrets);
}

void run_program_set(struct run_program *p, const char *path, const char *cwd)
{
	free(p->path);
	free(p->cwd);
	p->path = path ? xstrdup(path) : NULL;
	p->cwd = cwd ? xstrdup(cwd) : NULL;
}

void run_program_set_argv(struct run_program *p, char *const *words, size_t n)
{
	free_words(p->argv);
	p->argv = copy_words(words, n);
}

void run_program_set_envp(struct run_program *p, char *const *words, size_t n)
{
	free_words(p->envp);
	p->envp = copy_words(words, n);
}

void run_program_fini(struct run_program *p)
{
	free(p->path);
	free(p->cwd);
	free(p->input);
	free_words(p->argv);
	free_words(p->envp);
	free_words(p->own_argv);
	free_words(p->own_envp);
	run_words_fini(&p->said);
	memset(p, 0, sizeof(*p));
}

/* A plain name in the current directory is accepted too, it is the likeliest meaning. */
static char *find_program(const char *name)
{
	char *found;

	if (strchr(name, '/') || fs_exists(name))
		return realpath(name, NULL);
	found = fs_find_program(name);
	if (found) {
		char *full = realpath(found, NULL);

		free(found);
		return full;
	}
	errno = ENOENT;
	return NULL;
}

int run_program_init(struct run_program *p, char *const *argv, const char *given, struct err *e)
{
	p->path = find_program(argv[0]);
	if (!p->path)
		return err_errno(e, ERR_NOT_FOUND, "%s", argv[0]);
	p->cwd = getcwd(NULL, 0);
	if (!p->cwd) {
		err_errno(e, ERR_IO, "current directory");
		run_program_fini(p);
		return ERR_IO;
	}
	set_words(p, argv, given);
	return 0;
}

/* A static program has no dynamic linker, so libheddle.so cannot be in it. */
static int check_dynamic(const char *path, struct err *e)
{
	struct trace_elf *elf;
	int rc = trace_elf_open(path, &elf, e);

	if (rc != 0)
		return rc;
	if (!trace_elf_has_section(elf, ".interp"))
		rc = err_set(e, ERR_UNSUPPORTED,
			     "%s is statically linked (or a library): link it dynamically", path);
	trace_elf_close(elf);
	return rc;
}

int run_program_check(const struct run_program *p, struct err *e)
{
	struct stat st;
	int rc;

	if (stat(p->path, &st) != 0)
		return err_errno(e, ERR_NOT_FOUND, "%s", p->path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_FORMAT, "%s is not a program", p->path);
	if (access(p->path, X_OK) != 0 || (st.st_mode & 0111) == 0)
		return err_set(e, ERR_IO, "%s is not executable", p->path);
	rc = trace_elf_check_instrumented(p->path, e);
	if (rc == 0)
		return check_dynamic(p->path, e);
	if (rc == ERR_MISMATCH)
		return err_set(e, rc, "%s is not instrumented: build it with heddle cc", p->path);
	if (rc == ERR_FORMAT)
		return err_set(e, rc, "%s is not an ELF executable for this machine", p->path);
	return rc;
}
