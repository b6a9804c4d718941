/*
 * The loader would call these functions when the process exits, which a run under control does
 * not: what is instrumented code is called here, the executable's first, each object's last first.
 */
#include "guest/check/hook/life/fini.h"

#include <link.h>

#include "guest/check/rec/rec.h"

#define MAX_OBJECTS 256

typedef void (*fini_fn)(void);

struct fini_array {
	const fini_fn *first;
	size_t count;
};

static struct fini_array arrays[MAX_OBJECTS];
static uint32_t array_count, modules_seen;
static RT_RUN struct {
	uint32_t object, called;
} progress;

/* The loader has relocated some entries of the dynamic section, and some not. */
static uintptr_t address_of(const struct dl_phdr_info *info, uintptr_t value)
{
	return value < info->dlpi_addr ? info->dlpi_addr + value : value;
}

static struct fini_array array_of(const struct dl_phdr_info *info)
{
	struct fini_array a = {NULL, 0};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const ElfW(Dyn) * d;

		if (h->p_type != PT_DYNAMIC)
			continue;
		for (d = (const void *)(info->dlpi_addr + h->p_vaddr); d->d_tag != DT_NULL; d++) {
			if (d->d_tag == DT_FINI_ARRAY)
				a.first = (const fini_fn *)address_of(info, d->d_un.d_ptr);
			else if (d->d_tag == DT_FINI_ARRAYSZ)
				a.count = d->d_un.d_val / sizeof(fini_fn);
		}
	}
	return a;
}

static int add_object(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct fini_array a = array_of(info);

	if (!a.first || !a.count)
		return 0;
	if (array_count == MAX_OBJECTS) {
		rt_unseen(SITE_NONE, "destructor functions of more than %d libraries", MAX_OBJECTS);
		return 1;
	}
	arrays[array_count++] = a;
	return 0;
}

void fini_begin(void)
{
	array_count = 0;
	dl_iterate_phdr(add_object, NULL);
	modules_seen = rt_ctl->module_count;
}

void fini_run(void)
{
	/* Somebody was loaded meanwhile. */
	if (rt_ctl->module_count != modules_seen)
		fini_begin();
	/* One that calls exit comes here again: each runs once. */
	while (progress.object < array_count) {
		const struct fini_array *a = &arrays[progress.object];
		fini_fn function;

		if (progress.called == a->count) {
			progress.object++;
			progress.called = 0;
			continue;
		}
		function = a->first[a->count - ++progress.called];
		if (rec_is_instrumented((const void *)function))
			function();
	}
}
