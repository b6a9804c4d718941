#include "guest/stable/stack.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unwind.h>

#include "guest/stable/msg.h"
#include "guest/stable/os.h"

struct walk {
	uintptr_t caller;
	uint64_t *pc;
	uint32_t count, limit;
	bool found;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
	struct walk *w = argument;
	uintptr_t pc = _Unwind_GetIP(context);
	if (!pc)
		return _URC_END_OF_STACK;
	w->found = w->found || pc == w->caller;
	if (!w->found)
		return _URC_NO_REASON;
	if (w->count >= w->limit)
		return _URC_END_OF_STACK;
	w->pc[w->count++] = pc;
	return _URC_NO_REASON;
}

uint32_t stack_capture(uintptr_t caller, uint64_t *pc, uint32_t limit)
{
	struct walk w = {.caller = caller, .pc = pc, .limit = limit};
	if (limit > 1)
		_Unwind_Backtrace(step, &w);
	if (w.count == 0) {
		pc[0] = caller;
		w.count = 1;
	}
	return w.count;
}

void stack_init(void)
{
	uint64_t pc[2];
	stack_capture(0, pc, 2);
}

static int list_one(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	uint64_t end = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && info->dlpi_addr + p->p_vaddr + p->p_memsz > end)
			end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	for (uint32_t i = 0; i < ctl->modules; i++) {
		if (ctl->module[i].base == info->dlpi_addr && ctl->module[i].end == end)
			return 0;
	}
	if (ctl->modules >= STABLE_MODULES)
		return 1;
	struct stable_module *m = &ctl->module[ctl->modules];
	m->base = info->dlpi_addr;
	m->end = end;
	const char *name = info->dlpi_name;
	char self[STABLE_PATH];
	if (!name || !name[0]) {
		long n = sys_call3(SYS_readlink, "/proc/self/exe", self, sizeof(self) - 1);
		self[n > 0 ? n : 0] = 0;
		name = ctl->modules == 0 ? self : "[vdso]";
	}
	fmt_text(m->path, sizeof(m->path), "%s", name);
	ctl->modules++;
	return 0;
}

void stack_list_modules(void)
{
	dl_iterate_phdr(list_one, NULL);
}

static int find_module(uint64_t pc)
{
	int best = -1;
	for (uint32_t i = 0; i < ctl->modules; i++) {
		if (pc >= ctl->module[i].base && pc < ctl->module[i].end &&
		    (best < 0 || ctl->module[i].base > ctl->module[best].base))
			best = (int)i;
	}
	return best;
}

int stack_module_of(uint64_t pc)
{
	int found = find_module(pc);
	if (found < 0) {
		stack_list_modules();
		found = find_module(pc);
	}
	return found;
}
