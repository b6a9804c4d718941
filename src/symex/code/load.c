/* From a binary to a program: its bitcode, instrumented again. */
#include "symex/code/load.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/again.h"
#include "ir/bitcode.h"
#include "ir/module.h"
#include "trace/elf/elf_sites.h"

static int add_unit(struct symex_program *p, const struct ir_bitcode_unit *from, struct err *e)
{
	struct instr_again again = {.mod = NULL};
	struct program_unit u = {.first_site = 0};
	int rc = instr_again(p->ctx, from->bytes, from->count,
			     instr_flavor_find(INSTR_FLAVOR_DEFAULT), &again, e);

	if (rc)
		return err_wrap(e, "%s", from->name), rc;
	if (p->units.count)
		u.first_site = vec_last(&p->units).first_site + vec_last(&p->units).sites;
	u.mod = again.mod;
	u.sites = again.sites;
	u.hash = again.hash;
	u.name = xstrdup(from->name);
	vec_push(&p->units, u);
	return 0;
}

/* A binary of the record flavour has no table: sites are then as a check build would number them.
 */
static int check_sites(struct symex_program *p, const char *path, struct err *e)
{
	const struct program_unit *last = &vec_last(&p->units);
	struct err ignored = ERR_INIT;
	int rc = trace_elf_sites_add(&p->sites, path, 0, &ignored);

	if (rc == ERR_NOT_FOUND || (!rc && !p->sites.count))
		return 0;
	if (rc)
		return *e = ignored, rc;
	if (p->sites.count != last->first_site + last->sites)
		trace_sites_fini(&p->sites);
	return 0;
}

static int read_units(struct symex_program *p, const char *path, struct err *e)
{
	struct ir_bitcode_file f = {NULL, 0, NULL, 0};
	int rc = ir_bitcode_read(&f, path, e);

	for (size_t i = 0; i < f.unit_count && !rc; i++)
		rc = add_unit(p, &f.units[i], e);
	if (!rc && !f.unit_count)
		rc = err_set(e, ERR_NOT_FOUND, "%s carries no bitcode", path);
	if (!rc) {
		p->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(p->units.items[0].mod));
		rc = check_sites(p, path, e);
	}
	ir_bitcode_fini(&f);
	return rc;
}

int program_load(const char *path, struct symex_program **out, struct err *e)
{
	struct symex_program *p = xcalloc(1, sizeof(*p));
	int rc;

	*out = NULL;
	p->ctx = ir_context_new();
	p->path = xstrdup(path);
	p->image_pool = expr_pool_new();
	mem_init(&p->image, p->image_pool);
	rc = read_units(p, path, e);
	if (!rc) {
		link_names(p);
		rc = image_place(p, path, e);
	}
	if (!rc)
		rc = image_write(p, e);
	if (!rc)
		image_constructors(p);
	if (rc)
		symex_program_free(p);
	else
		*out = p;
	return rc;
}

void symex_program_free(struct symex_program *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->functions.count; i++) {
		code_free(p->functions.items[i]->code);
		free(p->functions.items[i]->name);
		free(p->functions.items[i]);
	}
	for (size_t i = 0; i < p->globals.count; i++)
		free(p->globals.items[i].name);
	if (p->layout)
		LLVMDisposeTargetData(p->layout);
	for (size_t i = 0; i < p->units.count; i++) {
		LLVMDisposeModule(p->units.items[i].mod);
		free(p->units.items[i].name);
	}
	LLVMContextDispose(p->ctx);
	vec_free(&p->units);
	vec_free(&p->functions);
	vec_free(&p->globals);
	vec_free(&p->by_address);
	vec_free(&p->label_blocks);
	vec_free(&p->constructors);
	vec_free(&p->destructors);
	ptrmap_free(&p->function_of);
	ptrmap_free(&p->global_of);
	ptrmap_free(&p->labels);
	trace_sites_fini(&p->sites);
	mem_fini(&p->image);
	expr_pool_free(p->image_pool);
	free(p->path);
	free(p);
}
