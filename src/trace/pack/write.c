#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/upgrade.h"
#include "trace/codec.h"
#include "trace/pack/pack.h"
#include "trace/pack/priv.h"

int trace_pack_create(struct trace_pack_out *p, const char *path, struct err *e)
{
	memset(p, 0, sizeof(*p));
	p->fd = -1;
	p->path = xstrdup(path);
	if (fs_exists(path))
		return err_set(e, ERR_EXISTS, "%s exists already", path);
	p->temporary = xasprintf("%s.incomplete-XXXXXX", path);
	p->fd = mkostemp(p->temporary, O_CLOEXEC);
	if (p->fd < 0) {
		free(p->temporary);
		p->temporary = NULL;
		return err_errno(e, ERR_IO, "cannot create %s", path);
	}
	if (fs_write_all(p->fd, PACK_MAGIC, PACK_MAGIC_BYTES))
		return err_errno(e, ERR_IO, "cannot write %s", path);
	return 0;
}

static int put_frame(struct trace_pack_out *p, enum pack_frame type, const struct strbuf *raw,
		     bool last, struct err *e)
{
	struct trace_frame f = {.type = (uint16_t)type,
				.version = TRACE_VERSION,
				.number = p->number++,
				.flags = last ? TRACE_FRAME_LAST : 0};
	struct strbuf bytes = STRBUF_INIT;
	int rc = 0;

	trace_frame_encode(&bytes, &f, raw->text, raw->length);
	if (fs_write_all(p->fd, bytes.text, bytes.length))
		rc = err_errno(e, ERR_IO, "cannot write %s", p->path);
	strbuf_free(&bytes);
	return rc;
}

/* The bytes of a file of this length, which must not change meanwhile. */
static int put_contents(struct trace_pack_out *p, FILE *from, uint64_t bytes, struct err *e)
{
	struct strbuf part = STRBUF_INIT;
	uint64_t left = bytes;
	int rc;

	part.text = xmalloc(TRACE_FRAME_MAX + 1);
	part.capacity = TRACE_FRAME_MAX + 1;
	do {
		size_t want = left < TRACE_FRAME_MAX ? (size_t)left : TRACE_FRAME_MAX;

		part.length = fread(part.text, 1, want, from);
		if (part.length != want) {
			rc = err_set(e, ERR_IO, "a file became shorter while it was read");
			break;
		}
		left -= want;
		rc = put_frame(p, PACK_FRAME_CONTENTS, &part, left == 0, e);
	} while (rc == 0 && left);
	strbuf_free(&part);
	return rc;
}

int trace_pack_add(struct trace_pack_out *p, enum trace_pack_role role, const char *name,
		   const char *from, struct err *e)
{
	struct strbuf head = STRBUF_INIT;
	FILE *f = fopen(from, "re");
	struct stat st;
	int rc = 0;

	assert(trace_pack_name_is_good(role, name));
	if (!f || fstat(fileno(f), &st))
		rc = err_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s", from);
	else if (!S_ISREG(st.st_mode))
		rc = err_set(e, ERR_FORMAT, "%s is not a regular file", from);
	if (rc == 0) {
		trace_put_u8(&head, (uint8_t)role);
		trace_put_string(&head, name);
		trace_put_u64(&head, (uint64_t)st.st_size);
		rc = put_frame(p, PACK_FRAME_MEMBER, &head, false, e);
	}
	if (rc == 0)
		rc = put_contents(p, f, (uint64_t)st.st_size, e);
	p->members += rc == 0;
	strbuf_free(&head);
	if (f)
		fclose(f);
	return rc == 0 ? 0 : err_wrap(e, "%s", from);
}

int trace_pack_finish(struct trace_pack_out *p, struct err *e)
{
	struct strbuf count = STRBUF_INIT;
	int rc;

	trace_put_u32(&count, p->members);
	rc = put_frame(p, PACK_FRAME_END, &count, true, e);
	strbuf_free(&count);
	if (rc == 0 && fsync(p->fd))
		rc = err_errno(e, ERR_IO, "cannot write %s", p->path);
	if (close(p->fd) && rc == 0)
		rc = err_errno(e, ERR_IO, "cannot write %s", p->path);
	p->fd = -1;
	return rc;
}

int trace_pack_commit(struct trace_pack_out *p, struct err *e)
{
	if (renameat2(AT_FDCWD, p->temporary, AT_FDCWD, p->path, RENAME_NOREPLACE) &&
	    (errno != EINVAL || rename(p->temporary, p->path)))
		return err_errno(e, errno == EEXIST ? ERR_EXISTS : ERR_IO, "cannot create %s",
				 p->path);
	free(p->temporary);
	p->temporary = NULL;
	return 0;
}

void trace_pack_abort(struct trace_pack_out *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->temporary)
		unlink(p->temporary);
	free(p->temporary);
	free(p->path);
	p->temporary = p->path = NULL;
	p->fd = -1;
}
