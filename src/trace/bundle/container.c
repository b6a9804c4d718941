#include "trace/bundle/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/part.h"
#include "trace/bundle/upgrade.h"

static char *without_trailing_slashes(const char *dir)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return xstrndup(dir, n);
}

int trace_container_open(struct trace_container *c, const char *dir, enum trace_kind kind,
			 struct err *e)
{
	memset(c, 0, sizeof(*c));
	c->manifest.kind = kind;
	c->manifest.version = TRACE_VERSION;
	c->dir = without_trailing_slashes(dir);
	if (fs_exists(c->dir))
		return err_set(e, ERR_EXISTS, "%s exists already", c->dir);
	c->temporary = xasprintf("%s.incomplete-XXXXXX", c->dir);
	if (!mkdtemp(c->temporary)) {
		free(c->temporary);
		c->temporary = NULL;
		return err_errno(e, ERR_IO, "cannot create %s", c->dir);
	}
	/* mkdtemp() made it private, and so it stays: a recording has what the program had. */
	return 0;
}

int trace_container_part(struct trace_container *c, unsigned part, const struct strbuf *raw,
			 struct err *e)
{
	return trace_part_write(c->temporary, part, raw->text, raw->length, &c->manifest, e);
}

static int write_manifest(struct trace_container *c, struct err *e)
{
	char *path = fs_join(c->temporary, TRACE_MANIFEST_NAME);
	struct strbuf text = STRBUF_INIT;
	int rc;

	trace_manifest_encode(&c->manifest, &text);
	rc = fs_write_file(path, text.text, text.length, e);
	if (!rc && chmod(path, 0600))
		rc = err_errno(e, ERR_IO, "cannot protect %s", path);
	strbuf_free(&text);
	free(path);
	return rc;
}

/* Makes the entries of a directory survive a crash of the machine; best effort. */
static void sync_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int trace_container_commit(struct trace_container *c, struct err *e)
{
	int rc = write_manifest(c, e);

	if (rc)
		return rc;
	sync_dir(c->temporary);
	/* RENAME_NOREPLACE: an empty directory made meanwhile is not ours to replace. */
	if (renameat2(AT_FDCWD, c->temporary, AT_FDCWD, c->dir, RENAME_NOREPLACE) &&
	    (errno != EINVAL || rename(c->temporary, c->dir)))
		return err_errno(e, errno == EEXIST || errno == ENOTEMPTY ? ERR_EXISTS : ERR_IO,
				 "cannot create %s", c->dir);
	free(c->temporary);
	c->temporary = NULL;
	return 0;
}

void trace_container_abort(struct trace_container *c)
{
	if (c->temporary)
		fs_remove_flat_dir(c->temporary, NULL);
	free(c->temporary);
	free(c->dir);
	c->temporary = c->dir = NULL;
}
