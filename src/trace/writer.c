#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "trace/part.h"
#include "trace/records.h"
#include "trace/upgrade.h"

/* Events gathered before a frame is written: 2 MiB of them. */
#define FRAME_EVENTS 65536u

struct trace_writer {
	char *dir;	 /* where the bundle will be */
	char *temporary; /* where it is now */
	struct trace_manifest manifest;
	struct trace_part_out events;
	uint8_t *pending; /* encoded events of the frame under way */
	size_t pending_count;
	bool parts_written;
};

static char *without_trailing_slashes(const char *dir)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return xstrndup(dir, n);
}

/* mkdtemp() makes it private; a bundle has the permissions any new directory would have. */
static void relax_permissions(const char *path)
{
	mode_t mask = umask(0);

	umask(mask);
	chmod(path, 0777 & ~mask);
}

int trace_writer_open(const char *dir, struct trace_writer **out, struct err *e)
{
	struct trace_writer *w = xcalloc(1, sizeof(*w));
	int rc;

	w->events.fd = -1;
	w->manifest.version = TRACE_VERSION;
	w->dir = without_trailing_slashes(dir);
	w->temporary = xasprintf("%s.incomplete-XXXXXX", w->dir);
	if (fs_exists(w->dir)) {
		rc = err_set(e, ERR_EXISTS, "%s exists already", w->dir);
		goto fail;
	}
	if (!mkdtemp(w->temporary)) {
		rc = err_errno(e, ERR_IO, "cannot create %s", w->dir);
		goto fail;
	}
	relax_permissions(w->temporary);
	rc = trace_part_create(&w->events, w->temporary, TRACE_PART_EVENTS, e);
	if (rc) {
		trace_writer_abort(w);
		return rc;
	}
	w->pending = xmalloc((size_t)FRAME_EVENTS * TRACE_EVENT_BYTES);
	*out = w;
	return 0;
fail:
	free(w->dir);
	free(w->temporary);
	free(w);
	return rc;
}

static int flush_events(struct trace_writer *w, bool last, struct err *e)
{
	size_t n = w->pending_count * TRACE_EVENT_BYTES;

	w->pending_count = 0;
	return trace_part_frame(&w->events, w->pending, n, last, e);
}

int trace_writer_events(struct trace_writer *w, const struct wire_event *events, size_t n,
			struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		int rc = w->pending_count == FRAME_EVENTS ? flush_events(w, false, e) : 0;

		if (rc)
			return rc;
		trace_event_encode(&events[i], w->pending + w->pending_count * TRACE_EVENT_BYTES);
		w->pending_count++;
	}
	return 0;
}

static void encode_meta(const struct trace_bundle *b, struct strbuf *to)
{
	trace_meta_encode(&b->meta, to);
}

static void encode_sites(const struct trace_bundle *b, struct strbuf *to)
{
	trace_sites_encode(&b->sites, to);
}

static void encode_symbols(const struct trace_bundle *b, struct strbuf *to)
{
	trace_symbols_encode(&b->symbols, to);
}

static const struct {
	unsigned part;
	void (*encode)(const struct trace_bundle *b, struct strbuf *to);
} encoders[] = {
	{TRACE_PART_META, encode_meta},
	{TRACE_PART_SCHEDULE, trace_schedule_encode},
	{TRACE_PART_THREADS, trace_threads_encode},
	{TRACE_PART_FAILURE, trace_failure_encode},
	{TRACE_PART_SITES, encode_sites},
	{TRACE_PART_SYMBOLS, encode_symbols},
	{TRACE_PART_NOTES, trace_notes_encode},
	{TRACE_PART_OUTPUT, trace_output_encode},
	{TRACE_PART_COUNTERS, trace_counters_encode},
};

int trace_writer_parts(struct trace_writer *w, const struct trace_bundle *b, struct err *e)
{
	struct strbuf raw = STRBUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < sizeof(encoders) / sizeof(encoders[0]) && !rc; i++) {
		strbuf_clear(&raw);
		encoders[i].encode(b, &raw);
		rc = trace_part_write(w->temporary, encoders[i].part, raw.text, raw.length,
				      &w->manifest, e);
	}
	strbuf_free(&raw);
	w->parts_written = rc == 0;
	return rc;
}

static int write_manifest(struct trace_writer *w, struct err *e)
{
	char *path = fs_join(w->temporary, TRACE_MANIFEST_NAME);
	struct strbuf text = STRBUF_INIT;
	int rc;

	trace_manifest_encode(&w->manifest, &text);
	rc = fs_write_file(path, text.text, text.length, e);
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

int trace_writer_commit(struct trace_writer *w, struct err *e)
{
	int rc;

	if (!w->parts_written)
		rc = err_set(e, ERR_INTERNAL, "bundle %s has no parts", w->dir);
	else
		rc = flush_events(w, true, e);
	if (!rc)
		rc = trace_part_finish(&w->events, &w->manifest, e);
	if (!rc)
		rc = write_manifest(w, e);
	if (!rc) {
		sync_dir(w->temporary);
		/* RENAME_NOREPLACE: an empty directory made meanwhile is not ours to replace. */
		if (renameat2(AT_FDCWD, w->temporary, AT_FDCWD, w->dir, RENAME_NOREPLACE) &&
		    (errno != EINVAL || rename(w->temporary, w->dir)))
			rc = err_errno(e,
				       errno == EEXIST || errno == ENOTEMPTY ? ERR_EXISTS : ERR_IO,
				       "cannot create %s", w->dir);
	}
	if (!rc) {
		free(w->temporary);
		w->temporary = NULL;
	}
	trace_writer_abort(w);
	return rc;
}

void trace_writer_abort(struct trace_writer *w)
{
	if (!w)
		return;
	trace_part_discard(&w->events);
	if (w->temporary)
		fs_remove_flat_dir(w->temporary, NULL);
	free(w->temporary);
	free(w->dir);
	free(w->pending);
	free(w);
}
