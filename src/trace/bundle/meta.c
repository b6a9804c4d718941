#include "trace/bundle/meta.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "trace/codec.h"
#include "trace/elf/elf.h"

int trace_file_id_get(struct trace_file_id *id, const char *path, struct err *e)
{
	struct trace_elf *elf;
	struct stat st;
	int rc;

	memset(id, 0, sizeof(*id));
	if (stat(path, &st))
		return err_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot examine %s",
				 path);
	rc = fs_hash_file(path, &id->hash, e);
	if (rc)
		return rc;
	id->bytes = (uint64_t)st.st_size;
	id->path = xstrdup(path);
	if (trace_elf_open(path, &elf, NULL) == 0) {
		id->build_id_bytes =
			(uint32_t)trace_elf_build_id(elf, id->build_id, TRACE_BUILD_ID_MAX);
		trace_elf_close(elf);
	}
	return 0;
}

void trace_file_id_fini(struct trace_file_id *id)
{
	free(id->path);
	memset(id, 0, sizeof(*id));
}

int trace_file_id_check(const struct trace_file_id *id, struct err *e)
{
	struct trace_file_id now;
	int rc;

	if (!id->path)
		return err_set(e, ERR_NOT_FOUND, "the bundle does not name the file");
	rc = trace_file_id_get(&now, id->path, e);
	if (rc)
		return rc;
	if (now.bytes != id->bytes)
		rc = err_set(e, ERR_MISMATCH,
			     "%s has changed since the recording: %" PRIu64
			     " bytes, recorded %" PRIu64,
			     id->path, now.bytes, id->bytes);
	else if (now.hash != id->hash)
		rc = err_set(e, ERR_MISMATCH,
			     "%s has changed since the recording: same size, other contents",
			     id->path);
	trace_file_id_fini(&now);
	return rc;
}

int trace_meta_check_binaries(const struct trace_meta *m, struct err *e)
{
	int rc = trace_file_id_check(&m->executable, e);

	for (size_t i = 0; i < m->modules.count && !rc; i++)
		rc = trace_file_id_check(&m->modules.items[i].file, e);
	return rc;
}

uint32_t trace_meta_site_count(const struct trace_meta *m)
{
	uint32_t end = 0;

	for (size_t i = 0; i < m->modules.count; i++) {
		const struct trace_module *module = &m->modules.items[i];

		if (module->first_site + module->sites_count > end)
			end = module->first_site + module->sites_count;
	}
	return end;
}

void trace_meta_fini(struct trace_meta *m)
{
	free(m->tool_version);
	free(m->program);
	free(m->cwd);
	for (size_t i = 0; i < m->argv.count; i++)
		free(m->argv.items[i]);
	vec_free(&m->argv);
	for (size_t i = 0; i < m->environ.count; i++)
		free(m->environ.items[i]);
	vec_free(&m->environ);
	trace_file_id_fini(&m->executable);
	for (size_t i = 0; i < m->modules.count; i++)
		trace_file_id_fini(&m->modules.items[i].file);
	vec_free(&m->modules);
	memset(m, 0, sizeof(*m));
}

static void encode_file_id(const struct trace_file_id *id, struct strbuf *to)
{
	trace_put_string(to, id->path);
	trace_put_u64(to, id->bytes);
	trace_put_u64(to, id->hash);
	trace_put_u8(to, (uint8_t)id->build_id_bytes);
	strbuf_add_bytes(to, id->build_id, id->build_id_bytes);
}

static void decode_file_id(struct trace_file_id *id, struct trace_get *g)
{
	const void *build_id;

	id->path = trace_get_string(g);
	id->bytes = trace_get_u64(g);
	id->hash = trace_get_u64(g);
	id->build_id_bytes = trace_get_u8(g);
	if (id->build_id_bytes > TRACE_BUILD_ID_MAX)
		g->bad = true;
	build_id = trace_get_bytes(g, id->build_id_bytes);
	if (build_id)
		memcpy(id->build_id, build_id, id->build_id_bytes);
	else
		id->build_id_bytes = 0;
}

static void encode_strings(char *const *items, size_t n, struct strbuf *to)
{
	trace_put_u32(to, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		trace_put_string(to, items[i]);
}

#define decode_strings(vec, g)                                                                     \
	do {                                                                                       \
		for (uint32_t left = trace_get_count((g), 4); left && !(g)->bad; left--) {         \
			char *text = trace_get_string(g);                                          \
			if (text)                                                                  \
				vec_push((vec), text);                                             \
		}                                                                                  \
	} while (0)

void trace_meta_encode(const struct trace_meta *m, struct strbuf *to)
{
	trace_put_string(to, m->tool_version);
	trace_put_u32(to, m->wire_version);
	trace_put_u32(to, m->strategy);
	trace_put_u32(to, m->model);
	trace_put_u32(to, m->engine);
	trace_put_u32(to, m->flags);
	trace_put_u32(to, m->bound);
	trace_put_u64(to, m->seed);
	trace_put_u64(to, m->max_steps);
	trace_put_u64(to, m->expected_steps);
	trace_put_string(to, m->program);
	trace_put_string(to, m->cwd);
	encode_strings(m->argv.items, m->argv.count, to);
	encode_strings(m->environ.items, m->environ.count, to);
	encode_file_id(&m->executable, to);
	trace_put_u32(to, (uint32_t)m->modules.count);
	for (size_t i = 0; i < m->modules.count; i++) {
		const struct trace_module *module = &m->modules.items[i];

		encode_file_id(&module->file, to);
		trace_put_u64(to, module->load_bias);
		trace_put_u32(to, module->first_site);
		trace_put_u32(to, module->sites_count);
	}
}

static void decode_modules(struct trace_meta *m, struct trace_get *g)
{
	/* 37 bytes: a module with an empty path and no build id. */
	for (uint32_t left = trace_get_count(g, 37); left && !g->bad; left--) {
		struct trace_module module = {.load_bias = 0};
		uint32_t end;

		decode_file_id(&module.file, g);
		module.load_bias = trace_get_u64(g);
		module.first_site = trace_get_u32(g);
		module.sites_count = trace_get_u32(g);
		/* Site numbers are 32 bits wide and the largest means "none". */
		if (__builtin_add_overflow(module.first_site, module.sites_count, &end))
			g->bad = true;
		vec_push(&m->modules, module);
	}
}

int trace_meta_decode(struct trace_meta *m, const void *bytes, size_t n, struct err *e)
{
	struct trace_get g;

	trace_get_init(&g, bytes, n);
	m->tool_version = trace_get_string(&g);
	m->wire_version = trace_get_u32(&g);
	m->strategy = trace_get_u32(&g);
	m->model = trace_get_u32(&g);
	m->engine = trace_get_u32(&g);
	m->flags = trace_get_u32(&g);
	m->bound = trace_get_u32(&g);
	m->seed = trace_get_u64(&g);
	m->max_steps = trace_get_u64(&g);
	m->expected_steps = trace_get_u64(&g);
	m->program = trace_get_string(&g);
	m->cwd = trace_get_string(&g);
	decode_strings(&m->argv, &g);
	decode_strings(&m->environ, &g);
	decode_file_id(&m->executable, &g);
	decode_modules(m, &g);
	if (trace_get_finished(&g))
		return 0;
	trace_meta_fini(m);
	return err_set(e, ERR_FORMAT, "meta is malformed");
}
