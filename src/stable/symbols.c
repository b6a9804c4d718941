#include "stable/symbols.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/proc.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "function at file:line"; false when addr2line is missing or knows nothing. */
static bool ask_addr2line(const char *module, uint64_t offset, struct strbuf *to)
{
	char address[32];
	/* A return address lies behind the call. */
	snprintf(address, sizeof(address), "0x%" PRIx64, offset ? offset - 1 : 0);
	char *argv[] = {"addr2line", "-C", "-f", "-p", "-s", "-e", (char *)module, address, NULL};
	struct proc_result result = {0};
	struct err e = ERR_INIT;
	int rc = proc_run(argv, PROC_CAPTURE, &result, &e);
	bool found = rc == 0 && result.status == 0 && result.out && result.out[0] != '?';
	if (found) {
		result.out[strcspn(result.out, "\n")] = 0;
		char *unknown = strstr(result.out, " at ??:");
		if (unknown)
			*unknown = 0;
		char *discriminator = strstr(result.out, " (discriminator");
		if (discriminator)
			*discriminator = 0;
		strbuf_add(to, result.out);
		if (unknown)
			strbuf_addf(to, " in %s", base_name(module));
	}
	free(result.out);
	return found;
}

void stable_symbols_code(const char *module, uint64_t offset, struct strbuf *to)
{
	if (module && module[0] == '/' && ask_addr2line(module, offset, to))
		return;
	if (module)
		strbuf_addf(to, "%s+0x%" PRIx64, base_name(module), offset);
	else
		strbuf_addf(to, "0x%" PRIx64, offset);
}

static const struct stable_module *module_of(const struct stable_ctl *ctl, uint64_t pc)
{
	const struct stable_module *best = NULL;
	for (uint32_t i = 0; i < ctl->modules && i < STABLE_MODULES; i++) {
		const struct stable_module *m = &ctl->module[i];
		if (pc >= m->base && pc < m->end && (!best || m->base > best->base))
			best = m;
	}
	return best;
}

void stable_symbols_pc(const struct stable_ctl *ctl, uint64_t pc, struct strbuf *to)
{
	const struct stable_module *m = module_of(ctl, pc);
	char path[sizeof(m->path) + 1] = "";
	if (m)
		memcpy(path, m->path, sizeof(m->path));
	stable_symbols_code(m ? path : NULL, m ? pc - m->base : pc, to);
}

bool stable_symbols_site(const struct stable_ctl *ctl, uint64_t pc, struct strbuf *to)
{
	const struct stable_module *m = module_of(ctl, pc);
	char path[sizeof(m->path) + 1] = "";
	if (!m)
		return false;
	memcpy(path, m->path, sizeof(m->path));
	strbuf_addf(to, "%s+0x%" PRIx64, base_name(path), pc - m->base);
	return true;
}

void stable_symbols_expand(const struct stable_ctl *ctl, const char *text, size_t bytes,
			   struct strbuf *to)
{
	for (size_t i = 0; i < bytes;) {
		if (text[i] != '@' || i + 1 >= bytes || !isxdigit((unsigned char)text[i + 1])) {
			strbuf_add_char(to, text[i++]);
			continue;
		}
		uint64_t pc = 0;
		for (i++; i < bytes && isxdigit((unsigned char)text[i]); i++) {
			unsigned char c = (unsigned char)tolower((unsigned char)text[i]);
			pc = pc * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
		stable_symbols_pc(ctl, pc, to);
	}
}
