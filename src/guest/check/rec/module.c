/* Modules of instrumented code: their sites get numbers, their functions are known by address. */
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/os/fmt.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"

#define FUNCTION_BITS 16
#define FUNCTION_SLOTS (1u << FUNCTION_BITS)

uintptr_t rec_site_begin;
uint32_t rec_site_count, rec_site_first;

static struct wire_module modules[WIRE_MAX_MODULES];
static uint32_t module_count;
static const void *functions[FUNCTION_SLOTS];
static uint32_t function_count;

static uint32_t hash_address(const void *address)
{
	return (uint32_t)(((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15)) >>
			  (64 - FUNCTION_BITS));
}

static void function_add(const void *address)
{
	uint32_t at = hash_address(address);

	/* A quarter stays free so that misses end quickly; beyond that, functions count as opaque,
	   which costs speed and nothing else. */
	if (function_count >= FUNCTION_SLOTS - FUNCTION_SLOTS / 4)
		return;
	while (functions[at] && functions[at] != address)
		at = (at + 1) % FUNCTION_SLOTS;
	function_count += functions[at] == NULL;
	functions[at] = address;
}

bool rec_is_instrumented(const void *function)
{
	uint32_t at = hash_address(function);

	while (functions[at] && functions[at] != function)
		at = (at + 1) % FUNCTION_SLOTS;
	return functions[at] != NULL;
}

struct place {
	uintptr_t address, bias;
	uintptr_t begin, end; /* of everything the module has in memory */
	const char *path;
};

static struct place places[WIRE_MAX_MODULES];

/* Widens the place to a segment; tells whether the address looked for lies in it. */
static bool add_segment(struct place *p, uintptr_t begin, uintptr_t end)
{
	p->begin = begin < p->begin ? begin : p->begin;
	p->end = end > p->end ? end : p->end;
	return p->address >= begin && p->address < end;
}

static int find_place(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct place *p = data;
	bool found = false;

	p->begin = UINTPTR_MAX;
	p->end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_LOAD && add_segment(p, begin, begin + h->p_memsz))
			found = true;
	}
	p->bias = info->dlpi_addr;
	p->path = info->dlpi_name;
	return found;
}

bool rec_in_module(uint64_t addr)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (addr >= places[i].begin && addr < places[i].end)
			return true;
	return false;
}

void rec_module_add(const struct heddle_site *sites_begin, const struct heddle_site *sites_end,
		    const struct heddle_function *funcs_begin,
		    const struct heddle_function *funcs_end)
{
	struct place place = { .address = (uintptr_t)sites_begin, .path = "" };
	struct wire_module *m = &modules[module_count];

	for (uint32_t i = 0; i < module_count; i++)
		if (modules[i].sites_begin == (uintptr_t)sites_begin)
			return;
	if (module_count == WIRE_MAX_MODULES || sites_begin >= sites_end)
		return;
	for (const struct heddle_function *f = funcs_begin; f < funcs_end; f++)
		function_add(f->address);
	dl_iterate_phdr(find_place, &place);
	places[module_count] = place;
	m->sites_begin = (uintptr_t)sites_begin;
	m->sites_count = (uint64_t)(sites_end - sites_begin);
	m->load_bias = place.bias;
	m->first_site = module_count ? m[-1].first_site + (uint32_t)m[-1].sites_count : 0;
	fmt_text(m->path, sizeof(m->path), "%s", place.path);
	/* The loader has no name for the executable itself. */
	if (!m->path[0])
		sys_call(SYS_readlink, (long)"/proc/self/exe", (long)m->path, sizeof(m->path) - 1, 0,
			 0, 0);
	module_count++;
	if (rt_ctl) {
		rt_ctl->modules[module_count - 1] = *m;
		rt_ctl->module_count = module_count;
	}
	rec_site_slow(sites_begin);
}

heddle_site_ref rec_site_record(uint32_t site)
{
	for (uint32_t i = 0; i < module_count; i++)
		if (site >= modules[i].first_site &&
		    site - modules[i].first_site < modules[i].sites_count)
			return (heddle_site_ref)modules[i].sites_begin +
			       (site - modules[i].first_site);
	return NULL;
}

uint32_t rec_site_slow(heddle_site_ref site)
{
	for (uint32_t i = 0; i < module_count; i++) {
		uintptr_t index = ((uintptr_t)site - modules[i].sites_begin) / sizeof(*site);

		if (index < modules[i].sites_count) {
			rec_site_begin = modules[i].sites_begin;
			rec_site_count = (uint32_t)modules[i].sites_count;
			rec_site_first = modules[i].first_site;
			return rec_site_first + (uint32_t)index;
		}
	}
	return SITE_NONE;
}
