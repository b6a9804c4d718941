#include "model/memory_model.h"

#include <stddef.h>
#include <strings.h>

static const struct model_memory models[] = {
	[MODEL_SC] =
		{
			.name = "sc",
			.title = "sequential consistency",
			.keeps_write_read = true,
			.keeps_write_write = true,
			.keeps_read_read = true,
			.keeps_read_write = true,
		},
	[MODEL_TSO] =
		{
			.name = "tso",
			.title = "total store order",
			.buffered = true,
			.keeps_write_write = true,
			.keeps_read_read = true,
			.keeps_read_write = true,
		},
	[MODEL_PSO] =
		{
			.name = "pso",
			.title = "partial store order",
			.buffered = true,
			.queue_per_location = true,
			.keeps_read_read = true,
			.keeps_read_write = true,
		},
};
#define MODELS (sizeof(models) / sizeof(models[0]))

const struct model_memory *model_memory_get(unsigned model)
{
	return model < MODELS ? &models[model] : NULL;
}

int model_memory_find(const char *name)
{
	for (size_t i = 0; i < MODELS; i++) {
		if (!strcasecmp(models[i].name, name))
			return (int)i;
	}
	return -1;
}
