#include "trace/bundle/bundle.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "trace/bundle/manifest.h"
#include "trace/bundle/reader.h"
#include "trace/bundle/validate.h"
#include "trace/bundle/writer.h"

/* Events that trace_bundle_read() takes into memory; longer executions are streamed. */
#define MAX_EVENTS_IN_MEMORY ((size_t)64 << 20)

void trace_bundle_fini(struct trace_bundle *b)
{
	trace_meta_fini(&b->meta);
	vec_free(&b->schedule);
	vec_free(&b->events);
	vec_free(&b->threads);
	for (size_t i = 0; i < b->notes.count; i++)
		free(b->notes.items[i]);
	vec_free(&b->notes);
	trace_sites_fini(&b->sites);
	trace_symbols_fini(&b->symbols);
	free(b->output.out);
	free(b->output.err);
	memset(b, 0, sizeof(*b));
}

int trace_bundle_read(const char *dir, struct trace_bundle *b, struct err *e)
{
	VEC(struct wire_event) events = VEC_INIT;
	struct trace_reader *r;
	struct wire_event event;
	int rc;

	rc = trace_reader_open(dir, &r, e);
	if (rc)
		return rc;
	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		if (events.count == MAX_EVENTS_IN_MEMORY) {
			rc = err_set(e, ERR_LIMIT, "%s: more than %zu events", dir,
				     MAX_EVENTS_IN_MEMORY);
			break;
		}
		vec_push(&events, event);
	}
	if (rc) {
		vec_free(&events);
	} else {
		trace_reader_take(r, b);
		b->events.items = events.items;
		b->events.count = events.count;
		b->events.capacity = events.capacity;
	}
	trace_reader_close(r);
	return rc;
}

static int validate_events(const struct trace_bundle *b, struct err *e)
{
	struct trace_validate v;
	int rc = 0;

	trace_validate_init(&v, b);
	for (size_t i = 0; i < b->events.count && !rc; i++)
		rc = trace_validate_event(&v, &b->events.items[i], e);
	trace_validate_fini(&v);
	return rc;
}

int trace_bundle_write(const char *dir, const struct trace_bundle *b, struct err *e)
{
	struct trace_writer *w;
	int rc;

	rc = trace_validate_parts(b, e);
	if (!rc)
		rc = validate_events(b, e);
	if (rc)
		return err_wrap(e, "the recording is inconsistent");
	rc = trace_writer_open(dir, &w, e);
	if (rc)
		return rc;
	rc = trace_writer_events(w, b->events.items, b->events.count, e);
	if (!rc)
		rc = trace_writer_parts(w, b, e);
	if (rc) {
		trace_writer_abort(w);
		return rc;
	}
	return trace_writer_commit(w, e);
}

/* Is it a name that a writer gives to a file? */
static bool is_our_name(const char *name)
{
	if (!strncmp(name, TRACE_MANIFEST_NAME, strlen(TRACE_MANIFEST_NAME)))
		return true;
	for (unsigned i = 0; i < TRACE_PART_MAX; i++) {
		const char *part = trace_manifest_part_name(i);

		if (part && !strcmp(part, name))
			return true;
	}
	return false;
}

static int check_only_ours(const char *dir, struct err *e)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	if (!d)
		return err_errno(e, ERR_IO, "cannot open directory %s", dir);
	while (!rc && (entry = readdir(d))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    !is_our_name(entry->d_name))
			rc = err_set(e, ERR_FORMAT, "%s is not removed: %s is not part of a bundle",
				     dir, entry->d_name);
	}
	closedir(d);
	return rc;
}

int trace_bundle_remove(const char *dir, struct err *e)
{
	struct trace_manifest m;
	struct err why = ERR_INIT;
	int rc;

	if (!fs_exists(dir))
		return 0;
	rc = trace_manifest_read(&m, dir, &why);
	/* Damaged or cut short, it is still ours; foreign things are not touched. */
	if (rc == ERR_FORMAT || rc == ERR_IO) {
		if (e)
			*e = why;
		return err_wrap(e, "%s is not removed", dir);
	}
	rc = check_only_ours(dir, e);
	return rc ? rc : fs_remove_flat_dir(dir, e);
}
