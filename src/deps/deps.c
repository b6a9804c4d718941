#include "deps/deps.h"

#include <pthread.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "deps/build.h"
#include "deps/control.h"
#include "deps/flow.h"
#include "ir/bitcode.h"
#include "ir/module.h"
#include "trace/elf/elf_sites.h"

struct deps {
	struct deps_graph g;
	struct deps_site *sites;
	struct deps_stats stats;
	pthread_mutex_t lock; /* of rows */
	uint64_t **rows;      /* by group of reads: a bit per site, made when first asked for */
};

static int read_unit(struct deps_build *b, LLVMContextRef ctx, const struct ir_bitcode_unit *from,
		     struct err *e)
{
	struct instr_again again = {.mod = NULL};
	struct deps_unit u = {.first = b->site_count};
	int rc = instr_again(ctx, from->bytes, from->count, instr_flavor_find(INSTR_FLAVOR_DEFAULT),
			     &again, e);

	if (rc)
		return err_wrap(e, "%s", from->name), rc;
	u.mod = again.mod;
	u.sites = again.sites;
	b->site_count += again.sites;
	vec_push(&b->units, u);
	return 0;
}

/* The table of the binary must say that unit by unit it is what was made again. */
static int compare_sites(const struct deps_build *b, const struct ir_bitcode_file *f,
			 const struct trace_sites *t, struct err *e)
{
	if (t->count != b->site_count)
		return err_set(e, ERR_MISMATCH, "%u sites in its bitcode, %zu in its table",
			       b->site_count, t->count);
	for (size_t u = 0; u < b->units.count; u++) {
		const char *name = f->units[u].name;
		uint32_t hash = (uint32_t)fs_hash(FS_HASH_START, name, strlen(name));

		for (uint32_t i = 0; i < b->units.items[u].sites; i++)
			if (t->items[b->units.items[u].first + i].unit != hash)
				return err_set(e, ERR_MISMATCH,
					       "bitcode and sites of %s are in different places",
					       name);
	}
	return 0;
}

static int read_binary(struct deps_build *b, LLVMContextRef ctx, const char *path, struct err *e)
{
	struct ir_bitcode_file f = {NULL, 0, NULL, 0};
	struct trace_sites t = {0};
	int rc = ir_bitcode_read(&f, path, e);

	for (size_t i = 0; i < f.unit_count && !rc; i++)
		rc = read_unit(b, ctx, &f.units[i], e);
	if (!rc)
		rc = trace_elf_sites_add(&t, path, 0, e);
	if (!rc)
		rc = compare_sites(b, &f, &t, e);
	trace_sites_fini(&t);
	ir_bitcode_fini(&f);
	return rc;
}

/* Control comes back twice from these: no graph of ours says what that does. */
static bool returns_twice(LLVMModuleRef mod)
{
	static const char *const names[] = {"setjmp",	  "_setjmp",	 "__sigsetjmp", "sigsetjmp",
					    "getcontext", "swapcontext", "vfork"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (LLVMGetNamedFunction(mod, names[i]))
			return true;
	return false;
}

static void build(struct deps_build *b)
{
	b->thread_results = deps_graph_node(&b->g);
	b->sites = xmalloc(((size_t)b->site_count + 1) * sizeof(*b->sites));
	for (uint32_t i = 0; i < b->site_count; i++)
		b->sites[i] = (struct deps_site){DEPS_NO_NODE, DEPS_NO_NODE};
	for (uint32_t u = 0; u < b->units.count; u++)
		b->everything |= returns_twice(b->units.items[u].mod);
	deps_build_functions(b);
	deps_calls_resolve(b);
	for (size_t i = 0; i < b->functions.count; i++)
		deps_control_function(b, &b->functions.items[i]);
	for (size_t i = 0; i < b->functions.count; i++)
		deps_flow_function(b, &b->functions.items[i]);
}

/* Takes over what is left of the construction. */
static struct deps *finish(struct deps_build *b)
{
	struct deps *d = xcalloc(1, sizeof(*d));

	d->stats = (struct deps_stats){.units = (uint32_t)b->units.count,
				       .functions = (uint32_t)b->functions.count,
				       .sites = b->site_count,
				       .nodes = b->g.nodes,
				       .edges = b->g.edges.count,
				       .everything = b->everything};
	deps_graph_close(&b->g);
	d->g = b->g;
	b->g = (struct deps_graph){0};
	d->sites = b->sites;
	b->sites = NULL;
	d->rows = xcalloc((size_t)d->g.groups + 1, sizeof(*d->rows));
	pthread_mutex_init(&d->lock, NULL);
	return d;
}

int deps_load(const char *path, struct deps **out, struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	struct deps_build b = {.places = VEC_INIT};
	int rc;

	deps_points_init(&b.points);
	rc = read_binary(&b, ctx, path, e);
	if (!rc) {
		build(&b);
		*out = finish(&b);
	}
	deps_build_fini(&b);
	LLVMContextDispose(ctx);
	return rc;
}

void deps_free(struct deps *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->g.groups; i++)
		free(d->rows[i]);
	free(d->rows);
	free(d->sites);
	deps_graph_fini(&d->g);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

static uint64_t *make_row(const struct deps *d, uint32_t group)
{
	uint64_t *row = xcalloc(d->stats.sites / 64 + 1, sizeof(*row));
	bool *reached = xcalloc((size_t)d->g.groups + 1, sizeof(*reached));

	deps_graph_reach(&d->g, group, reached);
	for (uint32_t i = 0; i < d->stats.sites; i++)
		if (d->sites[i].happens == DEPS_NO_NODE || reached[d->g.group[d->sites[i].happens]])
			row[i / 64] |= UINT64_C(1) << (i % 64);
	free(reached);
	return row;
}

bool deps_depends(struct deps *d, uint32_t read_site, uint32_t event_site)
{
	uint64_t *row;
	uint32_t group;

	if (d->stats.everything || read_site >= d->stats.sites || event_site >= d->stats.sites ||
	    d->sites[read_site].value == DEPS_NO_NODE)
		return true;
	group = d->g.group[d->sites[read_site].value];
	pthread_mutex_lock(&d->lock);
	if (!d->rows[group])
		d->rows[group] = make_row(d, group);
	row = d->rows[group];
	pthread_mutex_unlock(&d->lock);
	return row[event_site / 64] >> (event_site % 64) & 1;
}

bool deps_returns(const struct deps *d, uint32_t site)
{
	uint32_t v = site < d->stats.sites ? d->sites[site].value : DEPS_NO_NODE;

	return v != DEPS_NO_NODE && deps_graph_leads(&d->g, v);
}

struct deps_stats deps_stats(const struct deps *d)
{
	return d->stats;
}
