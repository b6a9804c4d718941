#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/frame.h"
#include "trace/codec.h"
#include "trace/pack/pack.h"
#include "trace/pack/priv.h"

static int read_exactly(int fd, void *to, size_t n, struct err *e)
{
	ssize_t r = fs_read_up_to(fd, to, n);

	if (r < 0)
		return err_errno(e, ERR_IO, "cannot read the pack");
	if ((size_t)r < n)
		return err_set(e, ERR_INCOMPLETE, "the pack is cut short");
	return 0;
}

bool trace_pack_is(const char *path)
{
	char head[sizeof(PACK_MAGIC_WORD) - 1];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		  fs_read_up_to(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
		  memcmp(head, PACK_MAGIC_WORD, sizeof(head)) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

int trace_pack_open_fd(struct trace_pack_in *p, int fd, struct err *e)
{
	char head[PACK_MAGIC_BYTES];
	int rc;

	memset(p, 0, sizeof(*p));
	p->fd = fd;
	rc = read_exactly(fd, head, sizeof(head), e);
	if (rc)
		return rc;
	if (memcmp(head, PACK_MAGIC, sizeof(head)) == 0)
		return 0;
	if (memcmp(head, PACK_MAGIC_WORD, sizeof(PACK_MAGIC_WORD) - 1) == 0)
		return err_set(e, ERR_VERSION, "the pack was made by a newer heddle");
	return err_set(e, ERR_FORMAT, "not a pack");
}

int trace_pack_open(struct trace_pack_in *p, const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	memset(p, 0, sizeof(*p));
	p->fd = fd;
	if (fd < 0)
		return err_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s",
				 path);
	return trace_pack_open_fd(p, fd, e);
}

/* The next frame and its contents, to be freed. */
static int read_frame(struct trace_pack_in *p, struct trace_frame *f, char **raw, struct err *e)
{
	uint8_t header[TRACE_FRAME_HEADER];
	char *stored = NULL;
	int rc = read_exactly(p->fd, header, sizeof(header), e);

	*raw = NULL;
	if (rc == 0)
		rc = trace_frame_header(f, header, e);
	if (rc == 0 && f->number != p->number)
		rc = err_set(e, ERR_FORMAT, "frame %u of the pack is numbered %u", p->number,
			     f->number);
	if (rc)
		return rc;
	stored = xmalloc(f->stored_bytes + 1);
	*raw = xmalloc(f->raw_bytes + 1);
	rc = read_exactly(p->fd, stored, f->stored_bytes, e);
	if (rc == 0)
		rc = trace_frame_decode(f, header, stored, *raw, e);
	free(stored);
	if (rc) {
		free(*raw);
		*raw = NULL;
		return rc;
	}
	p->number++;
	return 0;
}

static int take_member(struct trace_pack_in *p, struct trace_pack_member *m, const char *raw,
		       size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, raw, n);
	m->role = (enum trace_pack_role)trace_get_u8(&g);
	m->name = trace_get_string(&g);
	m->bytes = trace_get_u64(&g);
	if (!trace_get_finished(&g) || !trace_pack_name_is_good(m->role, m->name)) {
		trace_pack_member_fini(m);
		return err_set(e, ERR_FORMAT, "member %u of the pack is malformed", p->members);
	}
	if (p->members == TRACE_PACK_MAX_MEMBERS || m->bytes > TRACE_PACK_MAX_BYTES - p->total) {
		trace_pack_member_fini(m);
		return err_set(e, ERR_LIMIT, "the pack is too large");
	}
	p->members++;
	p->total += m->bytes;
	p->left = m->bytes;
	return 1;
}

static int take_end(struct trace_pack_in *p, const struct trace_frame *f, const char *raw,
		    struct err *e)
{
	char more;

	if (f->raw_bytes != 4 || !(f->flags & TRACE_FRAME_LAST) ||
	    trace_load_u32((const uint8_t *)raw) != p->members || read(p->fd, &more, 1) != 0)
		return err_set(e, ERR_FORMAT, "the end of the pack is malformed");
	p->ended = true;
	return 0;
}

int trace_pack_next(struct trace_pack_in *p, struct trace_pack_member *m, struct err *e)
{
	struct trace_frame f;
	char *raw;
	int rc;

	memset(m, 0, sizeof(*m));
	if (p->ended)
		return 0;
	rc = read_frame(p, &f, &raw, e);
	if (rc)
		return rc;
	if (f.type == PACK_FRAME_MEMBER && f.raw_bytes <= PACK_MEMBER_MAX &&
	    !(f.flags & TRACE_FRAME_LAST))
		rc = take_member(p, m, raw, f.raw_bytes, e);
	else if (f.type == PACK_FRAME_END)
		rc = take_end(p, &f, raw, e);
	else
		rc = err_set(e, ERR_FORMAT, "frame %u of the pack is out of place", f.number);
	free(raw);
	return rc;
}

int trace_pack_contents(struct trace_pack_in *p, int fd, struct err *e)
{
	bool last = false;

	while (!last) {
		struct trace_frame f;
		char *raw;
		int rc = read_frame(p, &f, &raw, e);

		if (rc)
			return rc;
		last = f.flags & TRACE_FRAME_LAST;
		/* A frame says how long it is; all of them make up exactly the length said first.
		 */
		if (f.type != PACK_FRAME_CONTENTS || f.raw_bytes > p->left ||
		    (last ? p->left != f.raw_bytes : f.raw_bytes == 0))
			rc = err_set(e, ERR_FORMAT, "contents in the pack have another length");
		else if (fd >= 0 && fs_write_all(fd, raw, f.raw_bytes))
			rc = err_errno(e, ERR_IO, "cannot unpack");
		p->left -= rc ? 0 : f.raw_bytes;
		free(raw);
		if (rc)
			return rc;
	}
	return 0;
}

void trace_pack_close(struct trace_pack_in *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
