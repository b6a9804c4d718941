#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/coop/coop.h"

#define ENDING ".crep"

void cli_coop_files_fini(struct cli_coop_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i]->path);
		coop_log_fini(&f->items[i]->log);
		free(f->items[i]);
	}
	vec_free(f);
}

static int read_one(struct cli_coop_files *f, const char *path, struct err *e)
{
	struct cli_coop_file *one = xcalloc(1, sizeof(*one));

	one->path = xstrdup(path);
	vec_push(f, one);
	return coop_log_read(path, &one->log, e);
}

static int is_log(const struct dirent *d)
{
	size_t n = strlen(d->d_name), m = strlen(ENDING);

	return n > m && !strcmp(d->d_name + n - m, ENDING);
}

static int read_dir(struct cli_coop_files *f, const char *path, struct err *e)
{
	struct dirent **list = NULL;
	int n = scandir(path, &list, is_log, alphasort), rc = 0;

	if (n < 0)
		return err_errno(e, ERR_IO, "cannot read %s", path);
	if (n == 0)
		rc = err_set(e, ERR_NOT_FOUND, "there are no logs (*" ENDING ") in %s", path);
	for (int i = 0; i < n; i++) {
		char *whole = fs_join(path, list[i]->d_name);

		if (!rc)
			rc = read_one(f, whole, e);
		free(whole);
		free(list[i]);
	}
	free(list);
	return rc;
}

int cli_coop_read(struct cli_coop_files *f, const char *path, struct err *e)
{
	return fs_is_dir(path) ? read_dir(f, path, e) : read_one(f, path, e);
}

uint32_t cli_coop_size(const struct cli_coop_opts *o, uint32_t n)
{
	return o->one ? 1 : coop_profile_size(n, (unsigned)o->percent);
}
