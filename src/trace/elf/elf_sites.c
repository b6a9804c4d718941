#include "trace/elf/elf_sites.h"

#include <stdlib.h>
#include <string.h>

#include "trace/codec.h"

#define RECORD_BYTES sizeof(struct heddle_site)

/*
 * The string at `distance' from a record at record_addr; NULL when it is not inside the string
 * section.  The section's contents are followed by a NUL of our own.
 */
static const char *string_at(const struct trace_elf_section *strings, uint64_t record_addr,
			     uint32_t distance)
{
	uint64_t offset;

	if (distance == 0)
		return "";
	/* Unsigned arithmetic wraps as addresses do; a wrong distance ends up out of bounds. */
	offset = record_addr + (uint64_t)(int64_t)(int32_t)distance - strings->addr;
	return offset < strings->bytes ? strings->contents + offset : NULL;
}

static int decode_record(struct trace_site *s, const uint8_t *p, uint64_t addr,
			 const struct trace_elf_section *strings)
{
	s->file = string_at(strings, addr, trace_load_u32(p + offsetof(struct heddle_site, file)));
	s->dir = string_at(strings, addr, trace_load_u32(p + offsetof(struct heddle_site, dir)));
	s->func = string_at(strings, addr, trace_load_u32(p + offsetof(struct heddle_site, func)));
	s->name = string_at(strings, addr, trace_load_u32(p + offsetof(struct heddle_site, name)));
	s->line = trace_load_u32(p + offsetof(struct heddle_site, line));
	s->column = trace_load_u16(p + offsetof(struct heddle_site, column));
	s->kind = p[offsetof(struct heddle_site, kind)];
	s->size = p[offsetof(struct heddle_site, size)];
	s->flags = trace_load_u32(p + offsetof(struct heddle_site, flags));
	s->unit = trace_load_u32(p + offsetof(struct heddle_site, unit));
	return s->file && s->dir && s->func && s->name ? 0 : -1;
}

static int add_records(struct trace_sites *t, const struct trace_elf_section *records,
		       const struct trace_elf_section *strings, uint32_t first_site, struct err *e)
{
	uint64_t count = records->bytes / RECORD_BYTES;

	if (records->bytes % RECORD_BYTES)
		return err_set(e, ERR_FORMAT, "its site table ends inside a record");
	if (count >= (uint64_t)SITE_NONE - first_site)
		return err_set(e, ERR_LIMIT, "its site table has too many records");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = i * RECORD_BYTES;
		struct trace_site s = {.id = first_site + (uint32_t)i};

		if (decode_record(&s, (const uint8_t *)records->contents + at, records->addr + at,
				  strings))
			return err_set(e, ERR_FORMAT,
				       "its site record %u names strings outside of section %s",
				       (unsigned)i, HEDDLE_STRS_SECTION);
		vec_push(t, s);
	}
	return 0;
}

static int add_from(struct trace_sites *t, const struct trace_elf *elf, uint32_t first_site,
		    struct err *e)
{
	struct trace_elf_section records = {.contents = NULL}, strings = {.contents = NULL};
	size_t before = t->count;
	int rc;

	rc = trace_elf_read(elf, HEDDLE_SITES_SECTION, &records, e);
	if (rc == ERR_NOT_FOUND)
		return err_set(e, ERR_MISMATCH,
			       "not instrumented (no section " HEDDLE_SITES_SECTION ")");
	/* Without names there may be no string section. */
	if (!rc && trace_elf_has_section(elf, HEDDLE_STRS_SECTION))
		rc = trace_elf_read(elf, HEDDLE_STRS_SECTION, &strings, e);
	if (!rc)
		rc = add_records(t, &records, &strings, first_site, e);
	free(records.contents);
	if (rc) {
		t->count = before;
		free(strings.contents);
		return rc;
	}
	if (strings.contents)
		vec_push(&t->blobs, strings.contents);
	return 0;
}

int trace_elf_sites_add(struct trace_sites *t, const char *path, uint32_t first_site, struct err *e)
{
	struct trace_elf *elf;
	int rc;

	rc = trace_elf_open(path, &elf, e);
	if (rc)
		return rc;
	rc = add_from(t, elf, first_site, e);
	if (rc)
		err_wrap(e, "%s", path);
	trace_elf_close(elf);
	return rc;
}
