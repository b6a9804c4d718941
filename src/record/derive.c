#include "record/derive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "run/guest/rebuild.h"

static char *cache_dir(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache)
		return xasprintf("%s/heddle", cache);
	if (home && *home)
		return xasprintf("%s/.cache/heddle", home);
	return xasprintf("%s/heddle-%u", fs_temporary_root(), (unsigned)getuid());
}

/* Makes the file that is to be called out; NULL elements: all of it follows from the flavour. */
static int build(const char *program, const char *flavor, const struct record_elements *o,
		 const char *out, struct err *e)
{
	char *part = xasprintf("%s.%ld", out, (long)getpid());
	char *list = o ? xasprintf("%s.names", part) : NULL;
	char *option = o ? xasprintf("--elements=%s", list) : NULL;
	int rc = o ? o->check(o->arg, e) : 0;

	if (!rc && o)
		rc = fs_write_file(list, o->wanted, strlen(o->wanted), e);
	if (!rc)
		rc = run_rebuild_with(program, flavor, option, part, "recorded", e);
	if (!rc && access(out, X_OK) && rename(part, out))
		rc = err_errno(e, ERR_IO, "cannot write %s", out);
	unlink(part);
	if (o)
		unlink(list);
	free(part);
	free(list);
	free(option);
	return rc;
}

static int derive(const char *program, const char *flavor, const struct record_elements *o,
		  char **out, struct err *e)
{
	const char *slash = strrchr(program, '/');
	char *dir = cache_dir();
	uint64_t hash;
	int rc = fs_hash_file(program, &hash, e);

	*out = NULL;
	if (!rc)
		rc = fs_make_dirs(dir, e);
	if (!rc) {
		char *key = o ? xasprintf("-%016" PRIx64, o->key) : xstrdup("");

		*out = xasprintf("%s/%s-%016" PRIx64 "%s.%s", dir, slash ? slash + 1 : program,
				 hash, key, flavor);
		free(key);
		if (access(*out, X_OK))
			rc = build(program, flavor, o, *out, e);
	}
	if (rc) {
		free(*out);
		*out = NULL;
	}
	free(dir);
	return rc;
}

int record_derive(const char *program, const char *flavor, char **out, struct err *e)
{
	return derive(program, flavor, NULL, out, e);
}

int record_derive_elements(const struct record_elements *o, char **out, struct err *e)
{
	return derive(o->program, "coop", o, out, e);
}
