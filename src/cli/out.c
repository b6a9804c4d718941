#include "cli/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"

#define MAX_NUMBER 1000000

static bool has_ending(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);

	return n > m && strcmp(name + n - m, ending) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void split_target(struct cli_out *o, const char *target)
{
	const char *name = base_name(target);

	o->exact = true;
	o->stem = xstrndup(name, strlen(name) - strlen(o->ending));
	o->dir = name == target ? xstrdup(".") : xstrndup(target, (size_t)(name - target));
}

/* Length of the longest part of path that exists. */
static size_t existing_length(const char *path)
{
	char *part = xstrdup(path);
	size_t length;

	while (!fs_exists(part)) {
		char *slash = strrchr(part, '/');

		if (slash)
			*slash = '\0';
		else
			*part = '\0';
		if (*part == '\0')
			break;
	}
	length = strlen(part);
	free(part);
	return length;
}

/*
 * Could a file be made there?  Tried in what exists of the path: a directory that is made to be
 * removed again may vanish under another heddle that has begun to use it.
 */
static int try_dir(const char *dir, struct err *e)
{
	size_t existing = existing_length(dir);
	char *part = existing ? xstrndup(dir, existing) : xstrdup(dir[0] == '/' ? "/" : ".");
	char *probe = xasprintf("%s/.heddle-probe-XXXXXX", part);
	int fd = -1, rc = 0;

	if (!fs_is_dir(part))
		rc = err_set(e, ERR_IO, "cannot create directory %s: a file is in the way", dir);
	else
		fd = mkstemp(probe);
	if (rc == 0 && fd < 0)
		rc = err_errno(e, ERR_IO, "cannot write in %s", part);
	if (fd >= 0) {
		unlink(probe);
		close(fd);
	}
	free(probe);
	free(part);
	return rc;
}

int cli_out_init(struct cli_out *o, const char *target, const char *program, struct err *e)
{
	return cli_out_init_ending(o, target, program, ".heddle", e);
}

int cli_out_init_ending(struct cli_out *o, const char *target, const char *program,
			const char *ending, struct err *e)
{
	int rc;

	memset(o, 0, sizeof(*o));
	o->ending = ending;
	if (has_ending(target, ending)) {
		split_target(o, target);
		if (fs_exists(target))
			return err_set(e, ERR_EXISTS, "%s exists already", target);
	} else {
		o->dir = xstrdup(target);
		o->stem = xstrdup(base_name(program));
	}
	while (strlen(o->dir) > 1 && o->dir[strlen(o->dir) - 1] == '/')
		o->dir[strlen(o->dir) - 1] = '\0';
	rc = try_dir(o->dir, e);
	if (rc != 0)
		return err_wrap(e, "no place for recordings");
	return 0;
}

void cli_out_fini(struct cli_out *o)
{
	free(o->dir);
	free(o->stem);
	memset(o, 0, sizeof(*o));
}

static char *make_path(const struct cli_out *o, unsigned number)
{
	const char *dir = strcmp(o->dir, ".") == 0 ? "" : o->dir;
	const char *slash = *dir && dir[strlen(dir) - 1] != '/' ? "/" : "";

	if (o->exact && number == 1)
		return xasprintf("%s%s%s%s", dir, slash, o->stem, o->ending);
	return xasprintf("%s%s%s-%u%s", dir, slash, o->stem, number, o->ending);
}

int cli_out_place(const struct cli_out *o, char **path, struct err *e)
{
	int rc = fs_make_dirs(o->dir, e);

	for (unsigned number = 1; rc == 0 && number < MAX_NUMBER; number++) {
		char *name = make_path(o, number);

		if (!fs_exists(name)) {
			*path = name;
			return 0;
		}
		free(name);
	}
	return rc ? rc : err_set(e, ERR_LIMIT, "no free number for a recording in %s", o->dir);
}

int cli_out_put(const struct cli_out *o, cli_out_write_fn write, void *arg, char **path,
		struct err *e)
{
	int rc = fs_make_dirs(o->dir, e);

	for (unsigned number = 1; rc == 0 && number < MAX_NUMBER; number++) {
		char *name = make_path(o, number);

		rc = fs_exists(name) ? ERR_EXISTS : write(arg, name, e);
		if (rc == 0) {
			*path = name;
			return 0;
		}
		free(name);
		/* Another heddle may have taken the number meanwhile. */
		if (rc == ERR_EXISTS)
			rc = 0;
	}
	return rc ? rc : err_set(e, ERR_LIMIT, "no free number for a recording in %s", o->dir);
}

static int write_bundle(void *arg, const char *name, struct err *e)
{
	return trace_bundle_write(name, arg, e);
}

int cli_out_write(const struct cli_out *o, const struct trace_bundle *b, char **path, struct err *e)
{
	return cli_out_put(o, write_bundle, (void *)b, path, e);
}
