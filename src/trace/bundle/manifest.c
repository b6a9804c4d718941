#include "trace/bundle/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/codec.h"
#include "trace/bundle/upgrade.h"

static const char *const first_words[] = {
	[TRACE_BUNDLE] = "heddle-bundle ",
	[TRACE_RECORDING] = "heddle-recording ",
};

static const struct {
	const char *name;
	unsigned required; /* sum of 1 << enum trace_kind */
} parts[TRACE_PART_MAX] = {
#define X(NAME, number, file, required, limit) [number] = {file, required},
#include "trace/bundle/parts.def"
#undef X
};

const char *trace_manifest_part_name(unsigned part)
{
	return part < TRACE_PART_MAX ? parts[part].name : NULL;
}

void trace_manifest_encode(const struct trace_manifest *m, struct strbuf *to)
{
	size_t start = to->length;

	strbuf_addf(to, "%s%u\n", first_words[m->kind], m->version);
	for (unsigned i = 0; i < TRACE_PART_MAX; i++) {
		if (m->parts[i].present)
			strbuf_addf(to, "%s %" PRIu64 " %016" PRIx64 "\n", parts[i].name,
				    m->parts[i].bytes, m->parts[i].hash);
	}
	strbuf_addf(to, "end %016" PRIx64 "\n",
		    fs_hash(FS_HASH_START, to->text + start, to->length - start));
}

/* Decimal number at *p, which moves behind it; false when there is none or it is too large. */
static bool parse_decimal(const char **p, uint64_t *value)
{
	const char *s = *p;

	*value = 0;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (*value > (UINT64_MAX - 9) / 10)
			return false;
		*value = *value * 10 + (uint64_t)(*s - '0');
	}
	if (s == *p || (**p == '0' && s != *p + 1))
		return false;
	*p = s;
	return true;
}

/* Exactly 16 small hexadecimal digits. */
static bool parse_hash(const char **p, uint64_t *value)
{
	const char *s = *p;

	*value = 0;
	for (int i = 0; i < 16; i++, s++) {
		if (*s >= '0' && *s <= '9')
			*value = *value << 4 | (uint64_t)(*s - '0');
		else if (*s >= 'a' && *s <= 'f')
			*value = *value << 4 | (uint64_t)(*s - 'a' + 10);
		else
			return false;
	}
	*p = s;
	return true;
}

static bool skip_char(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

/* "name bytes hash\n".  A name this version does not know is passed over. */
static bool parse_part(struct trace_manifest *m, const char **p)
{
	size_t length = strspn(*p, "abcdefghijklmnopqrstuvwxyz-");
	const char *name = *p;
	uint64_t bytes, hash;

	*p += length;
	if (!length || !skip_char(p, ' ') || !parse_decimal(p, &bytes) || !skip_char(p, ' ') ||
	    !parse_hash(p, &hash) || !skip_char(p, '\n'))
		return false;
	for (unsigned i = 0; i < TRACE_PART_MAX; i++) {
		if (!parts[i].name || strlen(parts[i].name) != length ||
		    memcmp(parts[i].name, name, length))
			continue;
		if (m->parts[i].present)
			return false;
		m->parts[i].present = true;
		m->parts[i].bytes = bytes;
		m->parts[i].hash = hash;
	}
	return true;
}

static int check_required(const struct trace_manifest *m, struct err *e)
{
	for (unsigned i = 0; i < TRACE_PART_MAX; i++) {
		if ((parts[i].required >> m->kind & 1) && !m->parts[i].present)
			return err_set(e, ERR_INCOMPLETE, "MANIFEST does not list %s",
				       parts[i].name);
	}
	return 0;
}

/* First line; *p moves behind it. */
static int parse_version(struct trace_manifest *m, const char **p, struct err *e)
{
	uint64_t version;
	int rc;

	if (!strncmp(*p, first_words[TRACE_RECORDING], strlen(first_words[TRACE_RECORDING])))
		m->kind = TRACE_RECORDING;
	else if (strncmp(*p, first_words[TRACE_BUNDLE], strlen(first_words[TRACE_BUNDLE])))
		return err_set(e, ERR_FORMAT, "not a bundle: its MANIFEST is not heddle's");
	*p += strlen(first_words[m->kind]);
	if (!parse_decimal(p, &version) || !skip_char(p, '\n'))
		return err_set(e, ERR_FORMAT, "MANIFEST is malformed in line 1");
	rc = trace_upgrade_check(version, e);
	m->version = (uint32_t)version;
	return rc;
}

int trace_manifest_decode(struct trace_manifest *m, const char *text, size_t n, struct err *e)
{
	const char *p = text, *line;
	uint64_t hash;
	int rc;

	memset(m, 0, sizeof(*m));
	rc = parse_version(m, &p, e);
	if (rc)
		return rc;
	for (line = p; strncmp(line, "end ", 4); line = p) {
		if (!strchr(p, '\n'))
			return err_set(e, ERR_INCOMPLETE, "MANIFEST is truncated");
		if (!parse_part(m, &p))
			return err_set(e, ERR_FORMAT, "MANIFEST is malformed at byte %zu",
				       (size_t)(line - text));
	}
	p = line + 4;
	if (!strchr(p, '\n'))
		return err_set(e, ERR_INCOMPLETE, "MANIFEST is truncated");
	if (!parse_hash(&p, &hash) || !skip_char(&p, '\n') || p != text + n)
		return err_set(e, ERR_FORMAT, "MANIFEST is malformed at its end");
	if (hash != fs_hash(FS_HASH_START, text, (size_t)(line - text)))
		return err_set(e, ERR_CHECKSUM, "MANIFEST is corrupted: its checksum differs");
	return check_required(m, e);
}

static bool begins_with_frame(const char *path)
{
	FILE *file = fopen(path, "re");
	uint8_t magic[4];
	bool yes;

	if (!file)
		return false;
	yes = fread(magic, sizeof(magic), 1, file) == 1 &&
	      trace_load_u32(magic) == TRACE_FRAME_MAGIC;
	fclose(file);
	return yes;
}

/* Does the directory hold a file that a writer of ours has begun? */
static bool has_our_files(const char *dir)
{
	bool found = false;

	for (unsigned i = 0; i < TRACE_PART_MAX && !found; i++) {
		char *path;

		if (!parts[i].name)
			continue;
		path = fs_join(dir, parts[i].name);
		found = fs_is_file(path) && begins_with_frame(path);
		free(path);
	}
	return found;
}

/* dir has no MANIFEST: what is it? */
static int explain_absence(const char *dir, struct err *e)
{
	struct stat st;

	if (stat(dir, &st))
		return err_errno(e, errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO,
				 "no bundle there");
	if (!S_ISDIR(st.st_mode))
		return err_set(e, ERR_FORMAT, "not a bundle: a bundle is a directory");
	if (has_our_files(dir))
		return err_set(e, ERR_INCOMPLETE,
			       "incomplete bundle: no MANIFEST, the writer was interrupted");
	return err_set(e, ERR_FORMAT, "not a bundle: a directory without a MANIFEST");
}

int trace_manifest_read(struct trace_manifest *m, const char *dir, struct err *e)
{
	char *path = fs_join(dir, TRACE_MANIFEST_NAME), *text = NULL;
	size_t n;
	int rc;

	rc = fs_read_file(path, TRACE_MANIFEST_MAX, &text, &n, e);
	if (rc == ERR_NOT_FOUND)
		rc = explain_absence(dir, e);
	else if (rc == ERR_LIMIT)
		rc = err_set(e, ERR_FORMAT, "not a bundle: its MANIFEST is not heddle's");
	else if (rc == 0)
		rc = trace_manifest_decode(m, text, n, e);
	free(text);
	free(path);
	return rc;
}

int trace_manifest_read_kind(struct trace_manifest *m, const char *dir, enum trace_kind kind,
			     struct err *e)
{
	int rc = trace_manifest_read(m, dir, e);

	if (!rc && m->kind != kind)
		rc = err_set(e, ERR_FORMAT, "%s",
			     kind == TRACE_BUNDLE
				     ? "a recording, not a bundle: heddle reproduce makes one of it"
				     : "a bundle, not a recording");
	return rc;
}
