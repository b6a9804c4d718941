#include "model/memory_model.h"

#include <stddef.h>
#include <strings.h>

static const struct model_memory models[] = {
#define MODEL(NAME, number, small, words, buffers, reorders)                                       \
	[number] = {                                                                               \
		.name = small,                                                                     \
		.word = #NAME,                                                                     \
		.title = words,                                                                    \
		.buffered = buffers,                                                               \
		.keeps_write_read = !(buffers),                                                    \
		.keeps_write_write = !(reorders),                                                  \
	},
#include "wire/models.def"
#undef MODEL
};
#define MODELS MODEL_COUNT

_Static_assert(sizeof(models) / sizeof(models[0]) == MODELS, "models are numbered without gaps");

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

const char model_memory_choices[] = "auto"
#define MODEL(NAME, number, small, words, buffers, reorders) "|" small
#include "wire/models.def"
#undef MODEL
	;
