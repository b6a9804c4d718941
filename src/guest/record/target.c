/*
 * Instrumented modules and their functions: calls through pointers are recorded as numbers of
 * functions.  The map from address to number is built anew when a module comes and published whole.
 */
#include "guest/record/record.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "guest/os/sys.h"
#include "wire/site.h"

struct slot {
	const void *address;
	uint32_t number;
};

struct map {
	uint32_t mask;
	struct slot slots[];
};

static struct map *map;

static struct {
	const struct heddle_function *begin, *end;
	uint32_t first;
	uintptr_t low, high;
} modules[RECORD_MAX_MODULES];
static uint32_t module_count, function_count;

static uint32_t hash(const void *address)
{
	return (uint32_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static void insert(struct map *m, const void *address, uint32_t number)
{
	uint32_t i = hash(address) & m->mask;

	while (m->slots[i].address && m->slots[i].address != address)
		i = (i + 1) & m->mask;
	m->slots[i].number = number;
	m->slots[i].address = address;
}

/* The old map stays: somebody may be reading it. */
static void rebuild(void)
{
	uint32_t slots = 64;
	struct map *m;
	long at;

	while (slots < function_count * 2)
		slots *= 2;
	at = sys_call(SYS_mmap, 0, (long)(sizeof(*m) + slots * sizeof(struct slot)),
		      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at < 0 && at > -4096)
		return;
	m = (struct map *)at;
	m->mask = slots - 1;
	for (uint32_t i = 0; i < module_count; i++)
		for (const struct heddle_function *f = modules[i].begin; f < modules[i].end; f++)
			if (f->address)
				insert(m, f->address,
				       modules[i].first + (uint32_t)(f - modules[i].begin));
	__atomic_store_n(&map, m, __ATOMIC_RELEASE);
}

static int find_extent(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	struct record_module *m = arg;
	uintptr_t low = UINTPTR_MAX, high = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (info->dlpi_addr + p->p_vaddr < low)
			low = info->dlpi_addr + p->p_vaddr;
		if (info->dlpi_addr + p->p_vaddr + p->p_memsz > high)
			high = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	if (m->low < low || m->low >= high)
		return 0;
	m->low = low;
	m->high = high;
	m->bias = info->dlpi_addr;
	if (info->dlpi_name)
		strncpy(m->path, info->dlpi_name, sizeof(m->path) - 1);
	return 1;
}

/* Instrumented modules call it when they are loaded, with their table of functions. */
RECORD_EXPORT void heddle_record_module(const struct heddle_function *begin,
					const struct heddle_function *end);
RECORD_EXPORT void heddle_record_module(const struct heddle_function *begin,
					const struct heddle_function *end)
{
	uint32_t i = module_count;
	struct record_module *m;

	if (!rec_ctl)
		return;
	if (i >= RECORD_MAX_MODULES) {
		rec_note("more than %u instrumented modules", RECORD_MAX_MODULES);
		return;
	}
	modules[i].begin = begin;
	modules[i].end = end;
	modules[i].first = function_count;
	m = &rec_ctl->modules[i];
	m->functions = (uint32_t)(end - begin);
	m->first = function_count;
	m->low = (uint64_t)(uintptr_t)begin;
	dl_iterate_phdr(find_extent, m);
	modules[i].low = m->low;
	modules[i].high = m->high;
	function_count += m->functions;
	rec_ctl->function_count = function_count;
	__atomic_store_n(&module_count, i + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&rec_ctl->module_count, i + 1, __ATOMIC_RELEASE);
	rebuild();
}

bool rec_target_instrumented(const void *address)
{
	uint32_t n = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n; i++)
		if ((uintptr_t)address >= modules[i].low && (uintptr_t)address < modules[i].high)
			return true;
	return false;
}

static uint32_t number_of(const void *address)
{
	const struct map *m = __atomic_load_n(&map, __ATOMIC_ACQUIRE);

	for (uint32_t i = m ? hash(address) & m->mask : 0; m && m->slots[i].address;
	     i = (i + 1) & m->mask)
		if (m->slots[i].address == address)
			return m->slots[i].number;
	return RECORD_TARGET_OUTSIDE;
}

RECORD_EXPORT void heddle_record_push(uint64_t value, uint64_t bits);
RECORD_EXPORT void heddle_record_target(const void *address);
RECORD_EXPORT void heddle_record_target(const void *address)
{
	heddle_record_push(number_of(address), RECORD_TARGET_BITS);
}

/* For an entry of the backend `paths', where 0 is nothing. */
RECORD_EXPORT uint32_t heddle_record_number(const void *address);
RECORD_EXPORT uint32_t heddle_record_number(const void *address)
{
	uint32_t number = number_of(address);

	return number == RECORD_TARGET_OUTSIDE ? number : number + 1;
}
