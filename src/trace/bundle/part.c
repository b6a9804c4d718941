#include "trace/bundle/part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/upgrade.h"

static const uint64_t limits[TRACE_PART_MAX] = {
#define X(NAME, number, file, required, limit) [number] = limit,
#include "trace/bundle/parts.def"
#undef X
};

int trace_part_create(struct trace_part_out *p, const char *dir, unsigned part, struct err *e)
{
	char *path = fs_join(dir, trace_manifest_part_name(part));
	int rc = 0;

	memset(p, 0, sizeof(*p));
	p->part = part;
	p->hash = FS_HASH_START;
	p->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (p->fd < 0)
		rc = err_errno(e, ERR_IO, "cannot create %s", path);
	free(path);
	return rc;
}

int trace_part_frame(struct trace_part_out *p, const void *raw, size_t n, bool last, struct err *e)
{
	struct trace_frame f = {
		.type = (uint16_t)p->part,
		.version = TRACE_VERSION,
		.number = p->number++,
		.flags = last ? TRACE_FRAME_LAST : 0,
	};
	struct strbuf b = STRBUF_INIT;
	int rc = 0;

	trace_frame_encode(&b, &f, raw, n);
	p->bytes += b.length;
	p->hash = fs_hash(p->hash, b.text, b.length);
	if (fs_write_all(p->fd, b.text, b.length))
		rc = err_errno(e, ERR_IO, "cannot write %s", trace_manifest_part_name(p->part));
	strbuf_free(&b);
	return rc;
}

int trace_part_finish(struct trace_part_out *p, struct trace_manifest *m, struct err *e)
{
	int rc = 0;

	/*
	 * No fsync: a machine that crashes now leaves a file that the MANIFEST convicts, and a
	 * search that keeps many bundles would spend its time waiting for the disk.
	 */
	if (close(p->fd))
		rc = err_errno(e, ERR_IO, "cannot write %s", trace_manifest_part_name(p->part));
	p->fd = -1;
	m->parts[p->part].present = true;
	m->parts[p->part].bytes = p->bytes;
	m->parts[p->part].hash = p->hash;
	return rc;
}

void trace_part_discard(struct trace_part_out *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

int trace_part_write(const char *dir, unsigned part, const void *raw, size_t n,
		     struct trace_manifest *m, struct err *e)
{
	struct trace_part_out p;
	const char *at = raw;
	size_t rest = n;
	int rc;

	/* The reader would refuse it later; better to say so now. */
	if (n > limits[part])
		return err_set(e, ERR_LIMIT, "%s would be larger than %" PRIu64 " bytes",
			       trace_manifest_part_name(part), limits[part]);
	rc = trace_part_create(&p, dir, part, e);
	do {
		size_t chunk = rest < TRACE_FRAME_MAX ? rest : TRACE_FRAME_MAX;

		if (rc)
			break;
		rest -= chunk;
		rc = trace_part_frame(&p, at, chunk, rest == 0, e);
		at = at ? at + chunk : at;
	} while (rest);
	if (!rc)
		return trace_part_finish(&p, m, e);
	trace_part_discard(&p);
	return rc;
}

/* Compares the size of the open file with the manifest. */
static int check_size(struct trace_part_in *p, uint64_t want, struct err *e)
{
	const char *name = trace_manifest_part_name(p->part);
	struct stat st;

	if (fstat(p->fd, &st))
		return err_errno(e, ERR_IO, "cannot examine %s", name);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_FORMAT, "%s is not a regular file", name);
	if ((uint64_t)st.st_size < want)
		return err_set(e, ERR_INCOMPLETE, "%s is truncated: %" PRIu64 " bytes of %" PRIu64,
			       name, (uint64_t)st.st_size, want);
	if ((uint64_t)st.st_size > want)
		return err_set(e, ERR_CHECKSUM,
			       "%s is corrupted: %" PRIu64 " bytes instead of %" PRIu64, name,
			       (uint64_t)st.st_size, want);
	return 0;
}

int trace_part_open(struct trace_part_in *p, const char *dir, unsigned part,
		    const struct trace_manifest *m, struct err *e)
{
	char *path = fs_join(dir, trace_manifest_part_name(part));
	int rc = 0;

	memset(p, 0, sizeof(*p));
	p->part = part;
	p->left = m->parts[part].bytes;
	p->want = m->parts[part].hash;
	p->hash = FS_HASH_START;
	/* O_NONBLOCK: a FIFO in the place of a file must not hang us. */
	p->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (p->fd < 0 && errno == ENOENT)
		rc = err_set(e, ERR_INCOMPLETE, "%s is missing", trace_manifest_part_name(part));
	else if (p->fd < 0)
		rc = err_errno(e, ERR_IO, "cannot open %s", trace_manifest_part_name(part));
	else
		rc = check_size(p, p->left, e);
	free(path);
	if (rc)
		trace_part_close(p);
	return rc;
}

/* n bytes of the file, which by its size must be there. */
static int read_exactly(struct trace_part_in *p, void *to, size_t n, struct err *e)
{
	const char *name = trace_manifest_part_name(p->part);
	size_t done = 0;

	if (n > p->left)
		return err_set(e, ERR_CHECKSUM, "%s is corrupted: a frame passes its end", name);
	while (done < n) {
		ssize_t r = read(p->fd, (char *)to + done, n - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_errno(e, ERR_IO, "cannot read %s", name);
		if (r == 0)
			return err_set(e, ERR_INCOMPLETE, "%s became shorter", name);
		done += (size_t)r;
	}
	p->left -= n;
	p->hash = fs_hash(p->hash, to, n);
	return 0;
}

/* Does the frame stand where it should? */
static int check_place(const struct trace_part_in *p, const struct trace_frame *f, struct err *e)
{
	if (f->type != p->part)
		return err_set(e, ERR_FORMAT, "contains frames of %s",
			       f->type < TRACE_PART_MAX && f->type
				       ? trace_manifest_part_name(f->type)
				       : "an unknown type");
	if (f->number != p->number)
		return err_set(e, ERR_FORMAT, "frame %u is missing", p->number);
	return 0;
}

static int read_frame(struct trace_part_in *p, struct err *e)
{
	uint8_t header[TRACE_FRAME_HEADER];
	struct trace_frame f;
	char *stored = NULL;
	int rc;

	rc = read_exactly(p, header, sizeof(header), e);
	if (rc)
		return rc;
	rc = trace_frame_header(&f, header, e);
	if (!rc)
		rc = check_place(p, &f, e);
	if (rc)
		return err_wrap(e, "%s", trace_manifest_part_name(p->part));
	stored = xmalloc(f.stored_bytes);
	rc = read_exactly(p, stored, f.stored_bytes, e);
	if (rc)
		goto out;
	p->raw = xrealloc(p->raw, f.raw_bytes, 1);
	p->raw_bytes = f.raw_bytes;
	rc = trace_frame_decode(&f, header, stored, p->raw, e);
	if (rc)
		err_wrap(e, "%s", trace_manifest_part_name(p->part));
	p->number++;
	p->last_seen = f.flags & TRACE_FRAME_LAST;
out:
	free(stored);
	return rc;
}

int trace_part_next(struct trace_part_in *p, struct err *e)
{
	const char *name = trace_manifest_part_name(p->part);
	int rc;

	if (!p->last_seen) {
		rc = read_frame(p, e);
		return rc ? rc : 1;
	}
	if (p->left)
		return err_set(e, ERR_FORMAT, "%s goes on after its last frame", name);
	if (p->hash != p->want)
		return err_set(e, ERR_CHECKSUM,
			       "%s is corrupted: its checksum is not the one in the MANIFEST",
			       name);
	return 0;
}

void trace_part_close(struct trace_part_in *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	free(p->raw);
	p->raw = NULL;
}

int trace_part_read(const char *dir, unsigned part, const struct trace_manifest *m, char **out,
		    size_t *bytes, struct err *e)
{
	struct strbuf b = STRBUF_INIT;
	struct trace_part_in p;
	int rc;

	rc = trace_part_open(&p, dir, part, m, e);
	if (rc)
		return rc;
	while ((rc = trace_part_next(&p, e)) > 0) {
		if (b.length + p.raw_bytes > limits[part]) {
			rc = err_set(e, ERR_LIMIT, "%s is larger than %" PRIu64 " bytes",
				     trace_manifest_part_name(part), limits[part]);
			break;
		}
		strbuf_add_bytes(&b, p.raw, p.raw_bytes);
	}
	trace_part_close(&p);
	if (rc) {
		strbuf_free(&b);
		return rc;
	}
	*bytes = b.length;
	*out = strbuf_take(&b);
	return 0;
}
