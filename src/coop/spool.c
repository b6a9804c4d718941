#include "coop/spool.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"

#define ENDING ".crep"
#define NAME_DIGITS 16

static char *state_dir(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return fs_join(state, "heddle/spool");
	return home && *home == '/' ? fs_join(home, ".local/state/heddle/spool") : NULL;
}

static int is_log(const struct dirent *d)
{
	uint8_t hash[SHA256_BYTES];
	char text[SHA256_TEXT];
	size_t n = strlen(d->d_name);

	if (n != SHA256_TEXT - 1 + strlen(ENDING) || strcmp(d->d_name + SHA256_TEXT - 1, ENDING))
		return 0;
	memcpy(text, d->d_name, SHA256_TEXT - 1);
	text[SHA256_TEXT - 1] = '\0';
	return sha256_parse(text, hash);
}

static int list(struct coop_spool *s, struct err *e)
{
	struct dirent **names = NULL;
	int n = scandir(s->dir, &names, is_log, alphasort);

	if (n < 0)
		return errno == ENOENT ? 0 : err_errno(e, ERR_IO, "cannot read %s", s->dir);
	for (int i = 0; i < n; i++) {
		char *path = fs_join(s->dir, names[i]->d_name);
		struct stat st;

		s->bytes += stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
		vec_push(&s->files, path);
		free(names[i]);
	}
	free(names);
	return 0;
}

int coop_spool_open(struct coop_spool *s, const char *url, struct err *e)
{
	char *state = state_dir(), name[SHA256_TEXT];
	uint8_t hash[SHA256_BYTES];

	if (!state)
		return err_set(e, ERR_NOT_FOUND, "there is no state directory: HOME is not set");
	sha256(url, strlen(url), hash);
	sha256_text(hash, name);
	name[NAME_DIGITS] = '\0';
	s->dir = fs_join(state, name);
	free(state);
	return list(s, e);
}

void coop_spool_fini(struct coop_spool *s)
{
	for (size_t i = 0; i < s->files.count; i++)
		free(s->files.items[i]);
	vec_free(&s->files);
	free(s->dir);
	s->dir = NULL;
}

int coop_spool_add(struct coop_spool *s, const struct coop_upload *u, uint64_t max, bool *fresh,
		   struct err *e)
{
	char *name = xasprintf("%s" ENDING, u->hash), *path = fs_join(s->dir, name);
	int rc = 0;

	*fresh = !fs_exists(path);
	if (*fresh) {
		if (s->bytes + u->plain.length > max)
			rc = err_set(e, ERR_LIMIT, "the spool %s is full", s->dir);
		if (!rc)
			rc = fs_make_dirs(s->dir, e);
		if (!rc)
			rc = fs_write_file(path, u->plain.text, u->plain.length, e);
		s->bytes += rc ? 0 : u->plain.length;
	}
	free(path);
	free(name);
	return rc;
}
