#include "guest/check/mem/early.h"

#include "guest/check/mem/undo.h"

#define MAX_DEAD 1024

static struct {
	uint64_t addr, bytes;
} dead[MAX_DEAD];
RT_RUN uint32_t early_dead;

void early_free(uint64_t addr, uint64_t bytes, uint32_t site)
{
	for (uint32_t i = 0; i < early_dead; i++)
		if (dead[i].addr == addr)
			rt_fail(FAILURE_DOUBLE_FREE, site, addr, 0,
				"free of a block that was freed already");
	if (early_dead == MAX_DEAD) {
		rt_unseen(site, "more than %d blocks from before main are given back", MAX_DEAD);
		return;
	}
	undo_touch(&dead[early_dead], sizeof(dead[0]));
	dead[early_dead].addr = addr;
	dead[early_dead++].bytes = bytes;
}

void early_check_slow(uint64_t addr, uint64_t bytes, uint32_t site, bool write)
{
	for (uint32_t i = 0; i < early_dead; i++)
		if (addr < dead[i].addr + dead[i].bytes && dead[i].addr < addr + bytes)
			rt_fail(FAILURE_USE_AFTER_FREE, site, addr, bytes,
				"%s of %lu bytes after free", write ? "write" : "read", bytes);
}
