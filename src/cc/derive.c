#include "cc/derive.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "instr/flavor.h"
#include "ir/bitcode.h"

/* ---- what the dynamic linker is told ---- */

struct image {
	const char *bytes;
	size_t count;
	const Elf64_Ehdr *head;
};

static const Elf64_Phdr *segment(const struct image *x, unsigned i)
{
	uint64_t at = x->head->e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);

	if (i >= x->head->e_phnum || x->head->e_phentsize != sizeof(Elf64_Phdr) || at > x->count ||
	    x->count - at < sizeof(Elf64_Phdr))
		return NULL;
	return (const Elf64_Phdr *)(const void *)(x->bytes + at);
}

/* The text at an address, NULL when the file does not have it. */
static const char *text_at(const struct image *x, uint64_t address)
{
	const Elf64_Phdr *p;

	for (unsigned i = 0; (p = segment(x, i)); i++) {
		uint64_t at = address - p->p_vaddr + p->p_offset;

		if (p->p_type != PT_LOAD || address < p->p_vaddr ||
		    address - p->p_vaddr >= p->p_filesz || at >= x->count)
			continue;
		return memchr(x->bytes + at, 0, x->count - at) ? x->bytes + at : NULL;
	}
	return NULL;
}

struct texts {
	VEC_FIELDS(char *);
};

/* Every text that entries with this tag name. */
static void dynamic_texts(const struct image *x, int64_t tag, struct texts *out)
{
	const Elf64_Phdr *p = NULL;
	const Elf64_Dyn *d;
	uint64_t n, strings = 0;

	for (unsigned i = 0; (p = segment(x, i)) && p->p_type != PT_DYNAMIC; i++)
		;
	if (!p || p->p_offset > x->count || x->count - p->p_offset < p->p_filesz)
		return;
	d = (const Elf64_Dyn *)(const void *)(x->bytes + p->p_offset);
	n = p->p_filesz / sizeof(*d);
	for (uint64_t i = 0; i < n && d[i].d_tag != DT_NULL; i++)
		if (d[i].d_tag == DT_STRTAB)
			strings = d[i].d_un.d_ptr;
	for (uint64_t i = 0; i < n && d[i].d_tag != DT_NULL; i++) {
		const char *text = d[i].d_tag == tag ? text_at(x, strings + d[i].d_un.d_val) : NULL;

		if (text)
			vec_push(out, xstrdup(text));
	}
}

static void texts_free(struct texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i]);
	vec_free(t);
}

/* Ours, and those every link has anyway. */
static bool comes_by_itself(const char *name)
{
	return !strncmp(name, "libheddle", 9) || !strncmp(name, "libc.so", 7) ||
	       !strncmp(name, "ld-linux", 8);
}

/* ---- the plan ---- */

static struct cc_step *new_step(struct cc_plan *p, enum cc_step_kind kind)
{
	struct cc_step fresh = {.kind = kind};

	vec_push(&p->steps, fresh);
	return &vec_last(&p->steps);
}

static void arg(struct cc_step *step, char *owned)
{
	vec_push(&step->args, owned);
}

static char *scratch(struct cc_plan *p, size_t unit, const char *suffix)
{
	char *path = xasprintf("%s/unit-%zu%s", p->dir, unit, suffix);

	vec_push(&p->scratch, path);
	return path;
}

static void unit_args(struct cc_step *step, const struct ir_bitcode_unit *u)
{
	for (size_t at = 0; at < u->args_bytes; at += strlen(u->args + at) + 1)
		if (u->args[at])
			arg(step, xstrdup(u->args + at));
}

static int plan_unit(struct cc_plan *p, const struct cc_parts *parts,
		     const struct ir_bitcode_unit *u, size_t number, struct err *e)
{
	char *plain = scratch(p, number, ".bc"), *marked = scratch(p, number, ".heddle.bc");
	char *object = scratch(p, number, ".o"), *name = xstrdup(u->name);
	static const char *const words[] = {"-Qunused-arguments", "-c", "-x", "ir", "-o"};
	struct cc_step *step;
	int rc = fs_write_file(plain, u->bytes, u->count, e);

	vec_push(&p->names, name);
	step = new_step(p, STEP_INSTRUMENT);
	step->from = xstrdup(plain);
	step->to = xstrdup(marked);
	step->source = name;
	unit_args(step, u);
	arg(step, NULL);
	step = new_step(p, STEP_RUN);
	arg(step, xstrdup(parts->compiler));
	unit_args(step, u);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		arg(step, xstrdup(words[i]));
	arg(step, xstrdup(object));
	arg(step, xstrdup(marked));
	arg(step, NULL);
	return rc;
}

static void link_libraries(struct cc_step *step, const struct image *x, const char *library)
{
	struct texts needed = {NULL, 0, 0}, paths = {NULL, 0, 0};

	dynamic_texts(x, DT_RUNPATH, &paths);
	dynamic_texts(x, DT_RPATH, &paths);
	dynamic_texts(x, DT_NEEDED, &needed);
	for (size_t i = 0; i < paths.count; i++) {
		char *save = NULL;

		for (char *d = strtok_r(paths.items[i], ":", &save); d;
		     d = strtok_r(NULL, ":", &save)) {
			arg(step, xasprintf("-L%s", d));
			arg(step, xasprintf("-Wl,-rpath,%s", d));
		}
	}
	arg(step, xstrdup("-Wl,--no-as-needed"));
	arg(step, xasprintf("-l%s", library));
	arg(step, xstrdup("-pthread"));
	for (size_t i = 0; i < needed.count; i++)
		if (!comes_by_itself(needed.items[i]))
			arg(step, xasprintf("-l:%s", needed.items[i]));
	texts_free(&needed);
	texts_free(&paths);
}

/* The link under way makes a trial, as in plan.c. */
static void plan_whole(struct cc_plan *p, const char *to)
{
	struct cc_step *step = new_step(p, STEP_WHOLE), *trial = step - 1;

	for (size_t i = 0; i < trial->args.count; i++)
		arg(step, xstrdup(trial->args.items[i]));
	step->from = xasprintf("%s/trial", p->dir);
	step->to = xstrdup(to);
	vec_push(&p->scratch, xstrdup(step->from));
	arg(trial, xstrdup("-o")), arg(trial, xstrdup(step->from)), arg(trial, NULL);
	arg(step, xstrdup("-o")), arg(step, xstrdup(to)), arg(step, NULL);
}

static void plan_link(struct cc_plan *p, const struct cc_parts *parts, const struct image *x,
		      const char *to)
{
	const struct instr_flavor *flavor = instr_flavor_find(p->flavor);
	struct cc_step *step = new_step(p, STEP_RUN);

	arg(step, xstrdup(parts->compiler));
	arg(step, xstrdup("-Qunused-arguments"));
	arg(step, xstrdup(x->head->e_type == ET_DYN ? "-pie" : "-no-pie"));
	for (size_t i = 2; i < p->scratch.count; i += 3)
		arg(step, xstrdup(p->scratch.items[i]));
	arg(step, xasprintf("-L%s", parts->libdir));
	arg(step, xasprintf("-Wl,-rpath,%s", parts->libdir));
	/* What the program itself defines must be found by what it loads. */
	arg(step, xstrdup("-rdynamic"));
	link_libraries(step, x, flavor->library);
	if (flavor->record && !flavor->paths && !flavor->elements) {
		plan_whole(p, to);
		return;
	}
	arg(step, xstrdup("-o"));
	arg(step, xstrdup(to));
	arg(step, NULL);
}

int cc_derive(struct cc_plan *p, const struct cc_parts *parts, const struct cc_derive *d,
	      struct err *e)
{
	struct ir_bitcode_file file = {NULL, 0, NULL, 0};
	struct image x;
	int rc = ir_bitcode_read(&file, d->from, e);

	*p = (struct cc_plan){.keep_debug = true, .flavor = d->flavor};
	if (rc == 0)
		rc = fs_make_temporary_dir("heddle-cc", &p->dir, e);
	x = (struct image){file.bytes, file.count, (const Elf64_Ehdr *)(const void *)file.bytes};
	for (size_t i = 0; i < file.unit_count && rc == 0; i++)
		rc = plan_unit(p, parts, &file.units[i], i, e);
	if (rc == 0)
		plan_link(p, parts, &x, d->to);
	ir_bitcode_fini(&file);
	return rc;
}
