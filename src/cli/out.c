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

#define ENDING ".heddle"
#define MAX_NUMBER 1000000

static bool has_ending(const char *name)
{
	size_t n = strlen(name), m = strlen(ENDING);

	return n > m && strcmp(name + n - m, ENDING) == 0;
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
	o->stem = xstrndup(name, strlen(name) - strlen(ENDING));
	o->dir = name == target ? xstrdup(".") : xstrndup(target, (size_t)(name - target));
}

/* Removes the directories from `from' up to, not including, `keep' characters of the path. */
static void remove_made(char *path, size_t keep)
{
	while (strlen(path) > keep && rmdir(path) == 0) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return;
		*slash = '\0';
	}
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

/* Makes the directory and a file in it, and removes both. */
static int try_dir(const char *dir, struct err *e)
{
	size_t existing = existing_length(dir);
	char *probe = NULL, *copy = xstrdup(dir);
	int fd, rc = fs_make_dirs(dir, e);

	if (rc == 0) {
		probe = xasprintf("%s/.heddle-probe-XXXXXX", dir);
		fd = mkstemp(probe);
		if (fd < 0)
			rc = err_errno(e, ERR_IO, "cannot write in %s", dir);
		else
			unlink(probe);
		if (fd >= 0)
			close(fd);
	}
	remove_made(copy, existing);
	free(copy);
	free(probe);
	return rc;
}

int cli_out_init(struct cli_out *o, const char *target, const char *program, struct err *e)
{
	int rc;

	memset(o, 0, sizeof(*o));
	if (has_ending(target)) {
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
		return xasprintf("%s%s%s" ENDING, dir, slash, o->stem);
	return xasprintf("%s%s%s-%u" ENDING, dir, slash, o->stem, number);
}

int cli_out_write(const struct cli_out *o, const struct trace_bundle *b, char **path, struct err *e)
{
	int rc = fs_make_dirs(o->dir, e);

	for (unsigned number = 1; rc == 0 && number < MAX_NUMBER; number++) {
		char *name = make_path(o, number);

		rc = fs_exists(name) ? ERR_EXISTS : trace_bundle_write(name, b, e);
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
